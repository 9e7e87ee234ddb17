import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { nameTools } from './tool-names.ts';

const tool = (server: string, name: string): { server: string; tool: string } => ({
  server,
  tool: name,
});

describe('nameTools', () => {
  verifies('MCP-T8', 'own name first, then server__tool, and prefix__tool where it is set', () => {
    const servers = [{ name: 'a' }, { name: 'b' }, { name: 'c', prefix: 'see' }];
    const tools = [tool('b', 'send'), tool('a', 'send'), tool('c', 'send'), tool('b', 'only_b')];
    const { names, warnings, errors } = nameTools(servers, tools);
    expect(names).toEqual(['b__send', 'send', 'see__send', 'only_b']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('`b__send`; set `prefix`');
    expect(errors).toEqual([]);
  });

  it('gives the same names in whatever order the tools are listed', () => {
    const servers = [{ name: 'a' }, { name: 'b' }];
    const tools = [tool('a', 'x'), tool('b', 'x'), tool('b', 'y')];
    const byKey = (list: typeof tools): object =>
      Object.fromEntries(
        nameTools(servers, list).names.map((name, i) => [
          `${list[i]?.server}.${list[i]?.tool}`,
          name,
        ]),
      );
    expect(byKey(tools.toReversed())).toEqual(byKey(tools));
  });

  it('finds two tools with one final name, also one of our own', () => {
    const servers = [{ name: 'a', prefix: 'p' }, { name: 'b', prefix: 'p' }, { name: 'c' }];
    const tools = [tool('a', 'x'), tool('b', 'x'), tool('c', 'intentplane_status')];
    const { errors } = nameTools(servers, tools);
    expect(errors).toEqual([
      '`b.x` and `a.x` both get the name `p__x`: set `prefix` on a server',
      '`c.intentplane_status` and the gateway itself both get the name `intentplane_status`: set `prefix` on a server',
    ]);
  });

  it('allows several entries of one tool', () => {
    expect(nameTools([{ name: 'a' }], [tool('a', 'x'), tool('a', 'x')]).errors).toEqual([]);
  });

  verifies('MCP-T9', 'a long name is cut to 64 with a hash, and warned about above 36', () => {
    const long = 'x'.repeat(70);
    const { names, warnings } = nameTools(
      [{ name: 'a' }],
      [tool('a', long), tool('a', 'y'.repeat(37))],
    );
    expect(names[0]).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(names[1]).toBe('y'.repeat(37));
    expect(warnings).toHaveLength(2);
    expect(nameTools([{ name: 'a' }], [tool('a', 'z'.repeat(36))]).warnings).toEqual([]);
    expect(nameTools([{ name: 'a' }], [tool('a', 'z'.repeat(64))]).names[0]).toHaveLength(64);
  });
});
