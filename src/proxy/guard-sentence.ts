// The one sentence that a guarded tool's description ends with.
import type { Contract } from '../core/contract.ts';

const sentenceMaxLength = 300;
const rest = 'A refusal names the next step; some calls wait for a person to confirm.';

export function guardSentence(contracts: readonly Contract[]): string {
  const critical = contracts.flatMap((contract) =>
    contract.params.filter((param) => param.critical),
  );
  const names = [...new Set(critical.map((param) => param.name))];
  if (names.length === 0) return `Guarded by intentplane. ${rest}`;
  const hasRegistry = critical.some((param) =>
    param.sources.some(({ kind }) => kind === 'registry'),
  );
  const form = hasRegistry ? ' (the value itself, or "ref:<record id>")' : '';
  const sentence = (list: string): string =>
    `Guarded by intentplane: ${list} must match trusted data${form}. ${rest}`;
  for (let count = names.length; count > 0; count -= 1) {
    const more = names.length > count ? ` and ${names.length - count} more` : '';
    const text = sentence(`${names.slice(0, count).join(', ')}${more}`);
    if (text.length <= sentenceMaxLength) return text;
  }
  return sentence('some arguments');
}
