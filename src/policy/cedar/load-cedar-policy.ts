// From policy files and contracts to a policy engine: parse, validate strictly, prepare. Nothing is
// activated while a problem is left, and all problems are told together.
import { err, ok } from '../../core/result.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { type LoadPolicy, type PolicyProblem, restParam } from '../policy-engine.ts';
import { withCedar } from './cedar-instance.ts';
import { createCedarPolicyEngine } from './cedar-policy-engine.ts';
import { checkShapes } from './check-shapes.ts';
import { type CedarRule, type PolicyFile, parsePolicyFiles } from './parse-policy-file.ts';
import { contextAttributes, schemaText } from './policy-schema.ts';
import { validateRules } from './validate-rules.ts';

/** Loads a policy set on Cedar. */
export const loadCedarPolicy: LoadPolicy = ({ files, actions }) => {
  const shapeProblems = checkShapes(actions);
  const parsed = parsePolicyFiles(files);
  const problems = [...shapeProblems, ...parsed.problems];
  // A schema of broken contracts would only produce faults of its own.
  if (shapeProblems.length === 0) problems.push(...validateRules(parsed.rules, actions));
  if (problems.length === 0 && parsed.rules.length === 0) problems.push(emptySet(files));
  if (problems.length > 0) return err(inFileOrder(problems, files));
  return ok(
    createCedarPolicyEngine(parsed.rules, actions, {
      policySetSha256: sha256Hex(files.map((file) => file.text).join('\n')),
      schemaSha256: sha256Hex(schemaText(actions)),
      engineVersion: withCedar((engine) => engine.getCedarVersion()),
      reads: new Set(parsed.rules.flatMap(namesRead)),
    }),
  );
};

function emptySet(files: readonly PolicyFile[]): PolicyProblem {
  const message = 'holds no rule, so everything would be denied; write at least one `permit`';
  const last = files.at(-1);
  return last === undefined
    ? { file: 'policy', message: 'no policy file is named; name at least one' }
    : { file: last.name, line: 1, column: 1, message };
}

function inFileOrder(
  problems: readonly PolicyProblem[],
  files: readonly PolicyFile[],
): readonly PolicyProblem[] {
  const position = new Map(files.map((file, index) => [file.name, index]));
  const rank = (problem: PolicyProblem): number => position.get(problem.file) ?? -1;
  return problems.toSorted(
    (a, b) =>
      rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

function namesRead({ reads }: CedarRule): readonly string[] {
  const { attributes, wholeAttributes } = reads;
  const names = [...attributes].flatMap(([attribute, below]) => [attribute, ...below]);
  if (reads.scopes) names.push('scopes');
  if (reads.wholeContext) names.push(...contextAttributes.keys());
  const isWhole =
    reads.wholeContext || ['params', 'origin'].some((name) => wholeAttributes.has(name));
  return isWhole ? [...names, restParam] : names;
}
