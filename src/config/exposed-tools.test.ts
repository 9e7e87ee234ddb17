import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';

const text = (passthrough: string): string =>
  `${base}[[servers]]\nname = "bank.eu"\ncommand = "true"\n[[tools]]\nserver = "bank"\ntool = "pay"\n[defaults]\npassthrough = [${passthrough}]\n`;

describe('passthrough', () => {
  it('adds tools after the guarded ones, each once', () => {
    expect(configOf(text('"bank.read", "bank.read", "bank.pay"')).tools).toEqual([
      { server: 'bank', tool: 'pay', kind: 'guarded' },
      { server: 'bank', tool: 'read', kind: 'passthrough' },
    ]);
  });

  it('takes the longest server name that fits', () => {
    expect(configOf(text('"bank.eu.read", "bank.list.all"')).tools.slice(1)).toEqual([
      { server: 'bank.eu', tool: 'read', kind: 'passthrough' },
      { server: 'bank', tool: 'list.all', kind: 'passthrough' },
    ]);
  });

  it('refuses names of no server, and stars', () => {
    expect(problemsOf(text('"bonk.read", "read", "bank.", "bank.*", "*"'))).toEqual([
      '13 defaults.passthrough[0]: `bonk.read` names no tool of a server: write server.tool; did you mean `bank`?',
      '13 defaults.passthrough[1]: `read` names no tool of a server: write server.tool',
      '13 defaults.passthrough[2]: `bank.` names no tool of a server: write server.tool; did you mean `bank`?',
      '13 defaults.passthrough[3]: `bank.*` names no tool: a star has no meaning here, list each tool as server.tool',
      '13 defaults.passthrough[4]: `*` names no tool: a star has no meaning here, list each tool as server.tool',
    ]);
  });
});
