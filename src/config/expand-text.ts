// `${env:NAME}` in the texts of the file.
import type { Environment } from './config.ts';
import type { KeyPath, KeyProblem } from './key-path.ts';

interface Expansion {
  readonly environment: Environment;
  readonly problems: KeyProblem[];
}

/** The document with every reference filled in; a missing variable is a problem. Keys stay as they are. */
export function expandTexts(document: unknown, expansion: Expansion): unknown {
  return expandValue(document, [], expansion);
}

function expandValue(value: unknown, path: KeyPath, expansion: Expansion): unknown {
  if (typeof value === 'string') return expandText(value, path, expansion);
  if (Array.isArray(value)) {
    return value.map((item, index) => expandValue(item, [...path, index], expansion));
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      expandValue(member, [...path, key], expansion),
    ]),
  );
}

const reference = /\$\{env:([^}]*)\}?/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

function expandText(text: string, path: KeyPath, { environment, problems }: Expansion): string {
  return text.replaceAll(reference, (whole, name: string) => {
    const { variables } = environment;
    if (!whole.endsWith('}') || !variableName.test(name)) {
      problems.push({ path, message: `\`${whole}\` is no reference: write \${env:NAME}` });
      return whole;
    }
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) return value;
    problems.push({
      path,
      message: `the environment variable \`${name}\` is not set: set it, or write the value`,
    });
    return whole;
  });
}
