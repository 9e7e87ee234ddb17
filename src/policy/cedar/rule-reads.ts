// What a rule can read of the question. A policy reaches an attribute only by its name, so what no
// rule names need not be sent; where a rule uses a record as a whole, all of it is sent.
import type { Expr } from '@cedar-policy/cedar-wasm/nodejs';

/** Everything the conditions of one rule can read. */
export interface RuleReads {
  /** `context` is used as a value of its own, e.g. compared with another record. */
  readonly wholeContext: boolean;
  /** Attribute of `context` → names read below it, e.g. `params` → `amount`. */
  readonly attributes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Attributes of `context` that are used as a whole. */
  readonly wholeAttributes: ReadonlySet<string>;
  /** An entity's `scopes` are read. */
  readonly scopes: boolean;
  /** Levels of nested expressions. */
  readonly depth: number;
}

interface Found {
  wholeContext: boolean;
  readonly attributes: Map<string, Set<string>>;
  readonly wholeAttributes: Set<string>;
  scopes: boolean;
  depth: number;
}

type Node = Readonly<Record<string, unknown>>;

const operandNames = ['left', 'right', 'arg', 'if', 'then', 'else', 'in'] as const;

/** Walks the conditions of a rule in Cedar's JSON form. */
export function ruleReads(bodies: readonly Expr[]): RuleReads {
  const found: Found = {
    wholeContext: false,
    attributes: new Map(),
    wholeAttributes: new Set(),
    scopes: false,
    depth: 0,
  };
  const open: { readonly expr: unknown; readonly depth: number }[] = [];
  for (const expr of bodies) open.push({ expr, depth: 1 });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { expr, depth } = next;
    found.depth = Math.max(found.depth, depth);
    for (const child of operandsOf(expr, found)) open.push({ expr: child, depth: depth + 1 });
  }
  return found;
}

// Notes what this expression reads itself and returns the operands still to be walked.
function operandsOf(expr: unknown, found: Found): readonly unknown[] {
  const [operator, operand] = soleEntry(expr);
  if (operator === 'Value') return [];
  if (operator === 'Var') {
    if (operand === 'context') found.wholeContext = true;
    return [];
  }
  if (isAccess(operator)) return walkChain(expr, found);
  if (Array.isArray(operand)) return operand;
  if (operator === 'Record' && isNode(operand)) return Object.values(operand);
  const operands = isNode(operand) ? knownOperands(operand) : [];
  if (operands.length === 0) readEverything(found);
  return operands;
}

// `context.params.amount`, `context.params has amount` and `context has params.amount` are chains:
// the steps are collected down to what the chain stands on.
function walkChain(chain: unknown, found: Found): readonly unknown[] {
  const steps: string[] = [];
  let base = chain;
  let [operator, operand] = soleEntry(base);
  while (isAccess(operator) && isNode(operand)) {
    const attr = operand['attr'];
    steps.unshift(...(Array.isArray(attr) ? attr.map(String) : [String(attr)]));
    base = operand['left'];
    [operator, operand] = soleEntry(base);
  }
  if (operator === 'Var' && operand === 'context') {
    noteContextPath(steps, found);
    return [];
  }
  if (steps.includes('scopes')) found.scopes = true;
  return [base];
}

function noteContextPath(steps: readonly string[], found: Found): void {
  const [attribute = '', name] = steps;
  const names = found.attributes.get(attribute) ?? new Set();
  found.attributes.set(attribute, names);
  if (name === undefined) found.wholeAttributes.add(attribute);
  else names.add(name);
}

function knownOperands(operand: Node): readonly unknown[] {
  return operandNames.flatMap((name) => (Object.hasOwn(operand, name) ? [operand[name]] : []));
}

// An operator of an unknown form could read anything, so everything is sent.
function readEverything(found: Found): void {
  found.wholeContext = true;
  found.scopes = true;
}

function isAccess(operator: string): boolean {
  return operator === '.' || operator === 'has';
}

function soleEntry(expr: unknown): readonly [string, unknown] {
  const [entry] = isNode(expr) ? Object.entries(expr) : [];
  return entry ?? ['', undefined];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
