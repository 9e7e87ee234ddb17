import { describe, expect, it } from 'vitest';
import type { PolicyEngine, PolicyQuestion } from '../policy-engine.ts';
import { preparedSetName, withCedar } from './cedar-instance.ts';
import { loadCedarPolicy } from './load-cedar-policy.ts';

const actions = Array.from({ length: 3 }, (_, index) => ({
  action: `a.${index}`,
  server: 's',
  params: [{ name: 'amount', type: 'long', optional: false }] as const,
}));

/** More than the parser's stack can hold. */
const deepRule = `permit(principal, action, resource) when { ${'('.repeat(2_000)}true${')'.repeat(2_000)} };`;

/** A set whose rules carry its own name, so that an answer shows which set gave it. */
function load(name: string): PolicyEngine {
  const text = actions
    .map(
      ({ action }) =>
        `@id("${name}") permit(principal, action == Action::"${action}", resource) when { context.params.amount >= 0 };`,
    )
    .join('\n');
  const loaded = loadCedarPolicy({ files: [{ name: 'p', text }], actions });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

function ask(engine: PolicyEngine, action = 'a.0'): readonly string[] {
  const question: PolicyQuestion = {
    principal: 'p',
    scopes: [],
    action,
    resource: 's',
    context: { params: { amount: 1 }, origin: {} },
    level: 0,
  };
  return engine.evaluate(question).rules;
}

describe('preparedSetName', () => {
  it('prepares a set once', () => {
    const owner = {};
    let asked = 0;
    const policiesOf = (): Record<string, string> => {
      asked += 1;
      return { r: 'permit(principal, action, resource);' };
    };
    const name = preparedSetName(owner, 0, policiesOf);
    expect(preparedSetName(owner, 0, policiesOf)).toBe(name);
    expect(asked).toBe(1);
  });

  it('uses the names of two slots in turn, whatever the number of owners', () => {
    const policiesOf = (): Record<string, string> => ({});
    const names = new Set<string>();
    for (let round = 0; round < 1_000; round += 1) {
      const owner = {};
      for (const position of [0, 1, 2]) names.add(preparedSetName(owner, position, policiesOf));
    }
    expect([...names].sort()).toEqual(['A/0', 'A/1', 'A/2', 'B/0', 'B/1', 'B/2']);
  });

  it('throws on a set that Cedar refuses', () => {
    expect(() => preparedSetName({}, 0, () => ({ r: 'nonsense' }))).toThrow(
      'cedar refused a validated set: ',
    );
  });
});

describe('slots', () => {
  it('answer from the asked set while more than two are alive', () => {
    const engines = ['one', 'two', 'three'].map((name) => ({ name, engine: load(name) }));
    for (let round = 0; round < 3; round += 1) {
      for (const { name, engine } of engines) {
        expect(ask(engine, 'a.1')).toEqual([name]);
        expect(ask(engine, 'a.2')).toEqual([name]);
      }
    }
  });

  it('keep the old set answering while the next one is loaded and tried', () => {
    const old = load('old');
    expect(ask(old)).toEqual(['old']);
    expect(ask(load('new'))).toEqual(['new']);
    expect(ask(old)).toEqual(['old']);
  });

  it('are prepared again in a fresh engine after an exception', () => {
    const engine = load('kept');
    expect(ask(engine)).toEqual(['kept']);
    const before = withCedar((cedar) => cedar);
    expect(withCedar((cedar) => cedar)).toBe(before);
    expect(() => withCedar((cedar) => cedar.policyToJson(deepRule))).toThrow();
    expect(ask(engine)).toEqual(['kept']);
    expect(withCedar((cedar) => cedar)).not.toBe(before);
  });

  it('do not grow over 1,000 reloads', () => {
    const reload = (times: number): void => {
      for (let round = 0; round < times; round += 1) {
        const engine = load(`set-${round}`);
        for (const { action } of actions) expect(ask(engine, action)).toEqual([`set-${round}`]);
      }
    };
    reload(100);
    const before = cedarMemoryBytes();
    reload(1_000);
    expect(cedarMemoryBytes() - before).toBeLessThanOrEqual(2 * 1024 * 1024);
  }, 120_000);
});

// Counts the engine's own memory, which only grows; sets that stay would take 9 MiB.
function cedarMemoryBytes(): number {
  return process.memoryUsage().external;
}
