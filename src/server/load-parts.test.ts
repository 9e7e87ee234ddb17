import { describe, expect, it } from 'vitest';
import { base, configOf } from '../../test/fixtures/config-file.ts';
import type { PolicyActionShape } from '../policy/policy-engine.ts';
import { loadParts } from './load-parts.ts';

/** The actions that the policies of a file are checked against. */
function actionsOf(text: string): readonly PolicyActionShape[] {
  let actions: readonly PolicyActionShape[] = [];
  loadParts(
    configOf(base + text),
    {
      loadPolicy: (given) => {
        actions = given.actions;
        return { ok: false, error: [{ file: 'policy.cedar', message: 'enough' }] };
      },
      loadRegistries: () => ({ registries: new Map(), problems: [], warnings: [] }),
    },
    { nowMs: () => 0, log: () => {} },
  );
  return actions;
}

describe('loadParts', () => {
  it('shows policies every parameter that they can compare, in its type', () => {
    const types = {
      string: 'string',
      date: 'string',
      datetime: 'string',
      integer: 'long',
      number: 'long',
      boolean: 'boolean',
      list: undefined,
      object: undefined,
    } as const;
    for (const [type, shown] of Object.entries(types)) {
      const [action] = actionsOf(
        `[[tools]]\nserver = "bank"\ntool = "pay"\n[tools.params.x]\noptional = true\ntype = "${type}"\n`,
      );
      const params = shown === undefined ? [] : [{ name: 'x', type: shown, optional: true }];
      expect(action, type).toEqual({ action: 'bank.pay', server: 'bank', params });
    }
  });

  it('shows lists as sets, and lists of truth values not at all', () => {
    const shown = (lines: string): unknown =>
      actionsOf(`[[tools]]\nserver = "bank"\ntool = "pay"\n[tools.params.x]\n${lines}\n`)[0]
        ?.params[0]?.type;
    expect(shown('each = true')).toBe('string-set');
    expect(shown('path = "to[].x"')).toBe('string-set');
    expect(shown('each = true\ntype = "number"')).toBe('long-set');
    expect(shown('type = "money"\ncurrency = "EUR"')).toBe('long');
    expect(shown('each = true\ntype = "boolean"')).toBeUndefined();
  });
});
