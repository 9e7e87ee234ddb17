// What can be told of several tools together: one tool twice, one action twice.
import type { Contract } from '../core/contract.ts';
import type { Report } from './build-context.ts';
import { sortedKeys } from './contract-digest.ts';

export function checkTwins(contracts: readonly Contract[], report: Report): void {
  for (const [index, contract] of contracts.entries()) {
    const earlier = contracts.slice(0, index);
    checkEntries(contract, { index, earlier, report });
    checkAction(contract, { index, earlier, report });
  }
}

interface Place {
  readonly index: number;
  readonly earlier: readonly Contract[];
  readonly report: Report;
}

/** A call takes the first entry that its arguments select: every later one must be able to be that. */
function checkEntries(contract: Contract, { index, earlier, report }: Place): void {
  const name = `\`${contract.server}.${contract.tool}\``;
  const entries = earlier.filter(
    (other) => other.server === contract.server && other.tool === contract.tool,
  );
  if (entries.length === 0) return;
  const isOpen = (entry: Contract): boolean => Object.keys(entry.when).length === 0;
  if (isOpen(contract) || entries.some(isOpen)) {
    report(
      [index, 'tool'],
      `${name} is declared twice: give each entry its own \`when\`, or remove one`,
    );
  } else if (entries.some((entry) => selects(entry, contract.when))) {
    report([index, 'when'], `selects nothing: an entry of ${name} above takes the same calls`);
  }
}

/** True when every call with these values is taken by the entry. */
const selects = (entry: Contract, values: Contract['when']): boolean =>
  Object.entries(entry.when).every(([key, value]) => values[key] === value);

/** A policy about an action means one thing, whichever tool carries it out. */
function checkAction(contract: Contract, { index, earlier, report }: Place): void {
  const other = earlier.find(({ action }) => action === contract.action);
  if (other === undefined || meaning(other) === meaning(contract)) return;
  const at = earlier.indexOf(other);
  report(
    [index, 'action'],
    `the action \`${contract.action}\` has another contract in tools[${at}]: make them equal, or give one another \`action\``,
  );
}

/** Everything but which tool it is, which arguments select it and how it is described. */
function meaning(contract: Contract): string {
  const { server, tool, when, description, digest, params, ...rest } = contract;
  const byName = params.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return JSON.stringify(sortedKeys({ ...rest, params: byName }));
}
