// Strict validation of parsed rules against the schema of the contracts.
import type { SchemaJson, ValidationError } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyActionShape, PolicyProblem } from '../policy-engine.ts';
import { withCedar } from './cedar-instance.ts';
import { type CedarRule, problemInRule } from './parse-policy-file.ts';
import { schemaJson } from './policy-schema.ts';
import { cedarFaults, type Fault, neverMatches, silentFaults } from './rule-faults.ts';

/** Every problem of the rules, in the order of the rules. */
export function validateRules(
  rules: readonly CedarRule[],
  configured: readonly PolicyActionShape[],
): readonly PolicyProblem[] {
  const findings = findingsOf(rules, schemaJson(configured));
  if (typeof findings === 'string') return [{ file: rules[0]?.file ?? '', message: findings }];
  return rules.flatMap((rule) => {
    const faults = faultsOf(rule, configured, findings);
    return faults.map((fault) => problemInRule(rule, fault.byteOffset, fault.message));
  });
}

interface Findings {
  readonly errors: readonly ValidationError[];
  readonly warnings: readonly ValidationError[];
}

function findingsOf(rules: readonly CedarRule[], schema: SchemaJson<string>): Findings | string {
  const staticPolicies = Object.fromEntries(rules.map((rule) => [rule.id, rule.text]));
  try {
    const answer = withCedar((cedar) => cedar.validate({ schema, policies: { staticPolicies } }));
    if (answer.type === 'failure') return `cannot be validated: ${answer.errors[0]?.message}`;
    return { errors: answer.validationErrors, warnings: answer.validationWarnings };
  } catch (error) {
    return `cannot be validated: ${String(error)}; split the longest rule`;
  }
}

function faultsOf(
  rule: CedarRule,
  configured: readonly PolicyActionShape[],
  findings: Findings,
): readonly Fault[] {
  const isOfRule = (found: ValidationError): boolean => found.policyId === rule.id;
  const applicable = configured.filter((shape) => rule.actions?.has(shape.action) ?? true);
  const subject = { rule, applicable, configured };
  const told = cedarFaults(subject, findings.errors.filter(isOfRule));
  const faults = [...told, ...silentFaults(subject, told)];
  // A rule with another fault is often impossible too; that would only repeat it.
  if (faults.length === 0) return neverMatches(subject, findings.warnings.filter(isOfRule));
  return faults.sort((a, b) => a.byteOffset - b.byteOffset);
}
