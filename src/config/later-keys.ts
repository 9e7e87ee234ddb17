// Keys that are specified and whose behaviour this version does not have: refused by name, never accepted and ignored.
import type { KeyPath } from './key-path.ts';

/** Tables by their names, `*` for a name that the file chooses. */
const later: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['derived', 'facts', 'mandate_registry', 'packs']],
  ['gateway', ['metrics', 'otel']],
  ['mandate', ['anchor', 'delegation', 'token_file', 'perimeter']],
  [
    'servers',
    ['url', 'headers', 'auth', 'resources', 'prompts', 'elicitation', 'sampling', 'roots'],
  ],
  ['tools', ['mode', 'facts', 'reverse', 'token']],
  [
    'tools.params.*',
    ['unresolved', 'must_exist', 'delegable', 'default', 'as', 'root', 'case', 'country'],
  ],
  [
    'registries.*',
    [
      ...['sql', 'query', 'url', 'path', 'mcp', 'arguments', 'items'],
      ...['ttl', 'cooling_off', 'confidential', 'changes'],
    ],
  ],
  ['policy', ['schema_out', 'cases']],
  [
    'http',
    ['listen', 'public_url', 'auth', 'allowed_hosts', 'allowed_origins', 'tls_cert', 'tls_key'],
  ],
  ['log', ['checkpoint_every']],
  ['keys', ['receipt', 'token', 'mandate']],
]);

/** True when the key belongs to the product and not to this version of it. */
export function isLaterKey(table: KeyPath, key: string): boolean {
  return later.get(tableName(table))?.includes(key) === true;
}

/** `tools[2].params.amount` is a row of the table `tools.params.*`. */
function tableName(table: KeyPath): string {
  const names = table.filter((step) => typeof step === 'string');
  const isChosen = (depth: number): boolean =>
    (names[0] === 'registries' && depth === 1) || (names[1] === 'params' && depth === 2);
  return names.map((step, depth) => (isChosen(depth) ? '*' : step)).join('.');
}
