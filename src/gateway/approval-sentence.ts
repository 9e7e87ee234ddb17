// The one line about an operation, from the contract's template and never from the agent's words.
import type { Contract } from '../core/contract.ts';
import type { ResolvedValue } from '../core/decision.ts';

/** `{name}` is the display value of a parameter; a list shows its items. For the agent a value that it only referred to is named by its record. */
export function approvalSentence(
  contract: Contract,
  values: readonly ResolvedValue[],
  reader: 'person' | 'agent',
): string {
  const shown = (name: string): string =>
    values
      .filter((value) => value.param === name)
      .map((value) =>
        reader === 'agent' && value.byReference ? `record ${value.recordId}` : value.display,
      )
      .join(', ');
  if (contract.sentence !== undefined) {
    return contract.sentence.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => shown(name));
  }
  const critical = contract.params.filter((param) => param.critical).map((param) => param.name);
  const named = [
    ...critical,
    ...(contract.budgetParam === undefined ? [] : [contract.budgetParam]),
  ];
  const parts = [...new Set(named)].map((name) => `${name} ${shown(name)}`);
  return parts.length === 0 ? contract.action : `${contract.action}: ${parts.join(', ')}`;
}
