// An open request as faces show it, from what was committed when it was made.
import type { OperationHistory } from '../core/history.ts';
import { opHash } from '../core/op-hash.ts';
import type { ApprovalRow } from '../core/operation.ts';
import type { Store, StoredApproval, StoredOperation } from '../stores/store.ts';
import type { ApprovalDetail, PendingApproval, ShownValue } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { historyNotes } from './history-diff.ts';

/** The committed view of a request (decision leaves make it). */
interface View {
  readonly sentence: string;
  readonly summary: string;
  readonly values: readonly {
    readonly label: string;
    readonly path: string;
    readonly display: string;
    readonly source: string;
    readonly record?: string;
    readonly version?: string;
    readonly changed?: number;
    readonly warnings: readonly string[];
  }[];
  readonly rest?: string;
  readonly reasons: readonly {
    readonly kind: string;
    readonly path?: string;
    readonly detail?: string;
    readonly op?: string;
  }[];
}

/** The request with its link and its way of being answered. */
export async function pendingApproval(
  parts: GatewayParts,
  approval: ApprovalRow,
  form: boolean,
): Promise<PendingApproval> {
  const stored = await parts.store.readApproval(approval.approvalId);
  if (stored === undefined) throw new Error('an approval request is gone');
  return toPending(parts, { approval, operation: stored.operation, view: stored.view }, form);
}

export function toPending(
  parts: Pick<GatewayParts, 'approvals'>,
  stored: {
    readonly approval: ApprovalRow;
    readonly operation: StoredOperation;
    readonly view: string;
  },
  form: boolean,
): PendingApproval {
  const view = JSON.parse(stored.view) as View;
  const page = parts.approvals.pageAnswers();
  return {
    approvalId: stored.approval.approvalId,
    opHash: stored.operation.row.opHash,
    level: stored.approval.level,
    url: page ? parts.approvals.linkOf(stored.approval.approvalId) : undefined,
    expiresMs: stored.approval.expiresMs,
    sentence: view.sentence,
    summary: view.summary,
    values: view.values.map(shown),
    rest: view.rest,
    reasons: view.reasons.map(reasonSentence),
    how: form ? (page ? 'both' : 'form') : 'page',
  };
}

/** A request with everything its page shows, from the store alone; undefined when it is not what its hash says. */
export async function readDetail(
  store: Pick<Store, 'readApproval' | 'readHistory'>,
  approvalId: string,
  { nowMs, onChanged }: { readonly nowMs: number; readonly onChanged: (opId: string) => void },
): Promise<
  | { readonly stored: StoredApproval; readonly sentence: string; readonly detail: ApprovalDetail }
  | undefined
> {
  const stored = await store.readApproval(approvalId);
  if (stored === undefined) return undefined;
  const { preimage, row } = stored.operation;
  // Nothing is shown that is not exactly what would run.
  if (opHash(preimage) !== row.opHash) {
    onChanged(row.opId);
    return undefined;
  }
  const history = await store.readHistory(row.opId);
  const { sentence } = JSON.parse(stored.view) as View;
  return { stored, sentence, detail: toDetail(stored, { history, nowMs }) };
}

/** What one parameter showed when its request was made; undefined when it was erased. */
export function shownAt(view: string, paths: readonly string[]): string | undefined {
  if (view === '') return undefined;
  const { values } = JSON.parse(view) as View;
  const displays = values.filter(({ path }) => paths.includes(path)).map(({ display }) => display);
  return displays.length === 0 ? undefined : displays.join(', ');
}

/** Everything the page shows: the view, identities from the preimage, and what was done before. */
function toDetail(
  stored: {
    readonly approval: ApprovalRow;
    readonly operation: StoredOperation;
    readonly view: string;
  },
  before: { readonly history: OperationHistory | undefined; readonly nowMs: number },
): ApprovalDetail {
  const view = JSON.parse(stored.view) as View;
  const preimage = JSON.parse(stored.operation.preimage) as {
    readonly action: string;
    readonly principal: string;
    readonly agent: string | null;
    readonly target: { readonly server: string };
    readonly values: Values;
  };
  const values = view.values.map(shown);
  return {
    action: preimage.action,
    server: preimage.target.server.split(' ')[0] ?? '',
    tool: preimage.action,
    principal: preimage.principal,
    agent: preimage.agent ?? '',
    opHash: stored.operation.row.opHash,
    values,
    rest: view.rest,
    reasons: view.reasons.map(reasonSentence),
    history: historyNotes({ ...before, values }),
    createdMs: stored.approval.createdMs,
    terms: stored.approval.terms,
    votes: stored.approval.votes,
    operation: stored.operation.row.state,
    typed: typedValue(view.values, preimage.values),
  };
}

/** Values of the preimage by path. */
type Values = Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;

const amountTypes: ReadonlySet<string> = new Set(['number', 'integer', 'money']);

/** The value that says who gets it: the first that something trusted vouches for, else an amount. */
function typedValue(shownValues: View['values'], values: Values): ApprovalDetail['typed'] {
  const isAmount = ({ path }: View['values'][number]): boolean =>
    amountTypes.has(values[path]?.type ?? '');
  const isVouched = ({ source }: View['values'][number]): boolean =>
    source !== '' && !source.startsWith('const:');
  const found =
    shownValues.find((value) => isVouched(value) && !isAmount(value)) ??
    shownValues.find(isAmount) ??
    shownValues[0];
  const value = found === undefined ? undefined : values[found.path];
  if (found === undefined || value === undefined) return undefined;
  return { label: found.label, canonical: String(value.value) };
}

function shown(value: View['values'][number]): ShownValue {
  return {
    label: value.label,
    path: value.path,
    display: value.display,
    source: value.source,
    ...(value.record === undefined ? {} : { recordId: value.record }),
    ...(value.version === undefined ? {} : { recordVersion: value.version }),
    ...(value.changed === undefined ? {} : { changedAtMs: value.changed }),
    warnings: value.warnings,
  };
}

const reasonTexts: Readonly<Record<string, string>> = {
  contract: 'the contract of this action asks a person',
  mandate: 'the mandate asks a person for everything',
  text: 'a text holds something that nothing trusted explains',
  duplicate: 'the same operation was done a moment ago',
  policy: 'the policy asks a person',
  tool_error: 'the same operation ended with an error before; approving says that it had no effect',
};

function reasonSentence(reason: View['reasons'][number]): string {
  const sentence = reasonTexts[reason.kind] ?? reason.kind;
  const at = reason.path === undefined ? '' : ` in ${reason.path}`;
  const what = reason.detail === undefined ? '' : ` (${reason.detail})`;
  return `${sentence}${at}${what}`;
}
