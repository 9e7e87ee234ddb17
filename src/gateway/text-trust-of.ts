// What counts as explained in an outgoing text: claims, the user's request, named registries, own domains, templates.
import type { ReadCall } from '../core/checks/read-call.ts';
import type { TextTrust } from '../core/checks/text-rule.ts';
import type { Contract, ParamContract } from '../core/contract.ts';
import type { GatewayParts } from './gateway-parts.ts';

/** One call and where its trusted values come from. */
export interface TextSubject {
  readonly contract: Contract;
  readonly call: ReadCall;
  readonly parts: GatewayParts;
  readonly tenant: string;
}

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
      [...registries].some(
        (name) => parts.registries.get(name)?.trusts(tenant, canonical) === true,
      ),
    domains: param?.textDomains ?? [],
    templates: param?.textTemplates ?? [],
    amounts: amountsOf(subject),
  };
}

/** Numbers of the call itself: a text may repeat the amount that is paid. */
const amountsOf = ({ call }: TextSubject): readonly string[] =>
  call.params
    .filter(({ param }) => ['number', 'integer', 'money'].includes(param.type))
    .flatMap(({ free }) => free.map(({ display }) => display));
