// The outbound-text rule over a JSON value that no contract describes: every text and every key.
import { isJsonObject, type JsonValue, numberText } from '../json-value.ts';
import { newEffort } from './text-passes.ts';
import { examineText, type TextFinding, type TextTrust } from './text-rule.ts';

/** What one text of a tree holds, and where it stands. */
export interface TreeFinding {
  readonly path: string;
  readonly finding: TextFinding;
}

const keyLengthMax = 80;
/** Shorter numbers name no account, card or phone. */
const numberLengthMin = 8;

/** Findings of all texts and keys; those that hold nothing unknown are left out. */
export function examineTree(
  value: JsonValue,
  trust: TextTrust,
  path: string,
): readonly TreeFinding[] {
  const findings: TreeFinding[] = [];
  // one allowance for the whole tree: many texts may not cost more than one
  const options = { effort: newEffort() };
  const visit = (text: string, at: string): void => {
    const finding = examineText(text, trust, options);
    if (finding.unknown.length > 0) findings.push({ path: at, finding });
  };
  walk(value, path, visit);
  return findings;
}

function walk(value: JsonValue, path: string, visit: (text: string, at: string) => void): void {
  const digits = numberText(value);
  if (typeof value === 'string') {
    visit(value, path);
  } else if (digits !== undefined) {
    // An account number is one, whatever type carries it.
    if (digits.length >= numberLengthMin) visit(digits, path);
  } else if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    for (const [index, item] of items.entries()) walk(item, `${path}[${index}]`, visit);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) walkMember(key, member, { path, visit });
  }
}

function walkMember(
  key: string,
  member: JsonValue,
  { path, visit }: { readonly path: string; readonly visit: (text: string, at: string) => void },
): void {
  const name = key.length > keyLengthMax ? `${key.slice(0, keyLengthMax - 1)}…` : key;
  const at = path === '' ? name : `${path}.${name}`;
  visit(key, at);
  walk(member, at, visit);
}
