// What the user's own request names: addresses, links and accounts that an outgoing text may repeat.
import { requestLiterals } from '../core/checks/request-literals.ts';

const normalisers = ['email', 'domain', 'url', 'iban-lenient', 'iban'] as const;

export function requestTexts(request: string): ReadonlySet<string> {
  const found = normalisers.flatMap((normalize) => [
    ...requestLiterals(request, { type: 'string', normalize, scale: 1, settings: {} }).keys(),
  ]);
  return new Set(found.map(String));
}
