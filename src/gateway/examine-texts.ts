// Every text that leaves and is not critical, under the rule for outgoing entities.
import { examineText, type TextFinding, type TextTrust } from '../core/checks/text-rule.ts';
import { examineTree } from '../core/checks/text-tree.ts';
import type { ParamContract } from '../core/contract.ts';
import type { TextFact } from '../core/facts.ts';
import { type TextSubject, trustOf } from './text-trust-of.ts';

/** Facts of texts with something unexplained; a call without any gives an empty list. */
export function examineTexts(subject: TextSubject): readonly TextFact[] {
  const { contract, call } = subject;
  const declared = call.params.flatMap((read) =>
    read.param.critical || read.param.text === 'free' || !carriesText(read.param)
      ? []
      : read.free.flatMap((value) => examineFree(subject, read.param, value)),
  );
  if (contract.undeclared !== 'entities' || Object.keys(call.rest).length === 0) return declared;
  const found = examineTree(call.rest, trustOf(subject, undefined), '');
  return [
    ...declared,
    ...found.flatMap(({ path, finding }) => toFact(path, finding, contract.onUnknown)),
  ];
}

const carriesText = (param: ParamContract): boolean =>
  param.type === 'string' || param.type === 'list' || param.type === 'object';

function examineFree(
  subject: TextSubject,
  param: ParamContract,
  value: { readonly path: string; readonly send: string | number | boolean },
): readonly TextFact[] {
  if (typeof value.send !== 'string') return [];
  const trust: TextTrust = trustOf(subject, param);
  const finding = examineText(value.send, trust, { allow: param.textAllow });
  return toFact(value.path, finding, param.onUnknown);
}

function toFact(
  path: string,
  finding: TextFinding,
  onUnknown: 'ask' | 'deny',
): readonly TextFact[] {
  if (finding.unknown.length === 0 && !finding.secret) return [];
  const unknown = finding.unknown.map(({ kind, text, certainty }) => ({
    kind,
    text,
    certain: certainty === 'certain',
  }));
  return [{ path, onUnknown, unknown, secret: finding.secret }];
}
