// What counts as explained in an outgoing text: claims, the user's request, named registries, own domains, templates.
import type { TextTrust } from '../core/checks/text-rule.ts';
import type { ParamContract } from '../core/contract.ts';
import type { TextSubject } from './examine-texts.ts';

/** Trust of one parameter; undeclared arguments have the registries and claims that the contract's own sources name. */
export function trustOf(subject: TextSubject, param: ParamContract | undefined): TextTrust {
  const { contract, parts, tenant } = subject;
  const sources = param?.textSources ?? [];
  const own = contract.params.flatMap((declared) => declared.sources);
  const registries = new Set([
    ...sources,
    ...own.flatMap((source) => (source.kind === 'registry' ? [source.registry] : [])),
  ]);
  return {
    has: (_kind, canonical) =>
      parts.claims.texts.has(canonical) ||
      parts.requestTexts.has(canonical) ||
      [...registries].some((name) => parts.registries.get(name)?.trusts(tenant, canonical) === true),
    domains: param?.textDomains ?? [],
    templates: param?.textTemplates ?? [],
    amounts: [],
  };
}
