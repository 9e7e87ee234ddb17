// What Cedar could not carry is refused before a schema is made of it.
import type { PolicyActionShape, PolicyProblem } from '../policy-engine.ts';

/** The place named by problems that no policy file causes. */
const contractsFile = 'contracts';

/** Cedar's JSON form gives these names a meaning of its own; the last one is JavaScript's. */
const reservedNames: ReadonlySet<string> = new Set(['__entity', '__extn', '__expr', '__proto__']);

/** Problems of the contracts themselves. */
export function checkShapes(actions: readonly PolicyActionShape[]): readonly PolicyProblem[] {
  const messages = [...actions.flatMap(nameProblems), ...conflicts(actions)];
  return [...new Set(messages)].map((message) => ({ file: contractsFile, message }));
}

function nameProblems(shape: PolicyActionShape): readonly string[] {
  const names = shape.params.map((param) => param.name);
  const messages = names
    .filter((name) => reservedNames.has(name))
    .map(
      (name) => `action \`${shape.action}\`: the parameter name \`${name}\` is reserved; rename it`,
    );
  const twice = names.filter((name, position) => names.indexOf(name) !== position);
  for (const name of twice) {
    messages.push(
      `action \`${shape.action}\`: the parameter \`${name}\` is declared twice; remove one`,
    );
  }
  if (![shape.action, shape.server, ...names].every((name) => name.isWellFormed())) {
    messages.push(
      `action \`${shape.action.toWellFormed()}\`: a name is not valid Unicode; rename it`,
    );
  }
  return messages;
}

function conflicts(actions: readonly PolicyActionShape[]): readonly string[] {
  const first = new Map<string, string>();
  const messages: string[] = [];
  for (const shape of actions) {
    const signature = signatureOf(shape);
    const known = first.get(shape.action) ?? signature;
    first.set(shape.action, known);
    if (known !== signature) {
      const fix = 'make them equal or rename one action';
      messages.push(`action \`${shape.action}\` is declared with different parameters; ${fix}`);
    }
  }
  return messages;
}

function signatureOf(shape: PolicyActionShape): string {
  const params = shape.params.map((param) => [param.name, param.type, param.optional]);
  return JSON.stringify(params.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)));
}
