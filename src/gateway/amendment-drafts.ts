// Drafts of what was approved again and again: made after an approval, shown to people.
import type { AmendmentDraft } from '../core/history.ts';
import type { MandateRow } from '../core/operation.ts';
import type { Store } from '../stores/store.ts';
import type { ShownDraft } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { shownAt } from './pending-approval.ts';
import { randomHex } from './random-id.ts';

/** Never fails: the approval is given, whatever becomes of a draft. */
export async function draftAmendment(
  { store, random, log }: Pick<GatewayParts, 'store' | 'random' | 'log'>,
  approvalId: string,
): Promise<void> {
  try {
    const draft = await store.draftAmendment(approvalId, randomHex(random, 16));
    if (draft === undefined) return;
    log('info', 'approved three times: an amendment of the mandate is drafted', {
      draft: draft.draftId,
      action: draft.action,
    });
  } catch (error) {
    log('warn', 'no amendment could be drafted', { error: String(error) });
  }
}

/** Those of one mandate, renewed or not. */
export async function listDrafts(
  { store }: Pick<GatewayParts, 'store'>,
  { line }: MandateRow,
): Promise<readonly ShownDraft[]> {
  const drafts = await store.readDrafts();
  return shownDrafts(
    store,
    drafts.filter(({ mandateLine }) => mandateLine === line),
  );
}

/** With the recipient as the last of the approvals showed it. */
export function shownDrafts(
  store: Pick<Store, 'readApproval'>,
  drafts: readonly AmendmentDraft[],
): Promise<readonly ShownDraft[]> {
  return Promise.all(
    drafts.map(async (draft) => {
      const { draftId, action, recipientPaths, ceiling, currency, basis } = draft;
      const last = await store.readApproval(basis.at(-1) ?? '');
      const recipient = last === undefined ? undefined : shownAt(last.view, recipientPaths);
      const { createdMs, expiresMs } = draft;
      const terms = { draftId, action, recipientPaths, recipient, ceiling, currency, basis };
      return { ...terms, createdMs, expiresMs };
    }),
  );
}
