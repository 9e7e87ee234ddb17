// How long the values behind a receipt are kept. Receipts themselves are kept for ever.

const dayMs = 86_400_000;

/** Six months of the longest kind: nothing may be set to expire earlier. */
export const retentionFloorMs: number = 184 * dayMs;
/** Ten years, of calls that spend an amount budget. */
const moneyMs = 3_653 * dayMs;
/** Two years, of everything else. */
const otherMs = 731 * dayMs;

/** The first rule that fits decides. */
export interface RetentionRule {
  /** Name of an action, or its beginning followed by `*`. */
  readonly action: string;
  /** Types of receipts; all when empty. */
  readonly types: readonly string[];
  readonly keepMs: number;
}

export interface RetentionTerms {
  readonly rules: readonly RetentionRule[];
  /** Every configured action, and whether it spends an amount budget. */
  readonly spends: ReadonlyMap<string, boolean>;
}

/** What the time depends on. */
export interface RetainedLeaf {
  readonly type: string;
  readonly action: string | undefined;
  /** Whether its proposal became an operation. */
  readonly isOperation: boolean;
}

/** An operation whose action is configured no more may have spent money. */
export function keepMsOf({ rules, spends }: RetentionTerms, leaf: RetainedLeaf): number {
  const rule = rules.find((each) => fits(each, leaf));
  if (rule !== undefined) return rule.keepMs;
  const { action, isOperation } = leaf;
  if (action === undefined) return otherMs;
  return (spends.get(action) ?? isOperation) ? moneyMs : otherMs;
}

/** Every time that a receipt can be kept for. */
export function keepTimes({ rules }: RetentionTerms): readonly number[] {
  return [...new Set([moneyMs, otherMs, ...rules.map(({ keepMs }) => keepMs)])];
}

function fits({ action, types }: RetentionRule, leaf: RetainedLeaf): boolean {
  if (types.length > 0 && !types.includes(leaf.type)) return false;
  if (action === '*') return true;
  if (!action.endsWith('*')) return leaf.action === action;
  return leaf.action?.startsWith(action.slice(0, -1)) === true;
}
