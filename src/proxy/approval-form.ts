// The question to the person behind the agent, as a form of the client, and what counts as an
// answer to it. An accepted form proves little, so only the exact content is an approval.
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import type { PendingApproval, ShownValue } from '../gateway/gateway.ts';
import { visibleText } from './quoted.ts';

const messageMaxLength = 4000;
/** A client that declines this fast has shown nothing to anybody. */
const hastyDeclineMs = 1000;

export type FormVerdict = 'approve' | 'reject' | 'none';

/** Params of `elicitation/create`. The prefix is one that no server can produce. */
function approvalForm(approval: PendingApproval, revision: string): JsonObject {
  const message = [
    `[intentplane asks] ${visibleText(approval.sentence)}`,
    ...approval.values.map(valueLine),
    ...(approval.rest === undefined ? [] : [`also sent: ${visibleText(approval.rest)}`]),
    ...approval.reasons.map((reason) => `asked because: ${visibleText(reason)}`),
  ].join('\n');
  return {
    ...(revision >= '2025-11-25' ? { mode: 'form' } : {}),
    message: message.length > messageMaxLength ? `${message.slice(0, messageMaxLength)}…` : message,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          description: 'Approve only if this is exactly what you want.',
          oneOf: [
            { const: 'approve', title: 'Approve' },
            { const: 'reject', title: 'Reject' },
          ],
        },
      },
      required: ['decision'],
    },
  };
}

/** Params of `elicitation/create` for a client that only opens links. The page asks for its own passcode. */
function approvalLink(approval: PendingApproval, url: string): JsonObject {
  const message = `[intentplane asks] ${visibleText(approval.summary)}: open the page to see and answer it`;
  return { mode: 'url', elicitationId: approval.approvalId, url, message };
}

/** How a client can bring one question before its person. */
export type Question =
  | { readonly kind: 'form' }
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'none' };

export function questionFor(
  client: { readonly form: boolean; readonly link: boolean },
  { how, url }: PendingApproval,
): Question {
  if (client.form && how !== 'page') return { kind: 'form' };
  return client.link && url !== undefined ? { kind: 'link', url } : { kind: 'none' };
}

/** Params that bring it there. */
export function questionParams(
  question: Exclude<Question, { kind: 'none' }>,
  approval: PendingApproval,
  revision: string,
): JsonObject {
  return question.kind === 'form'
    ? approvalForm(approval, revision)
    : approvalLink(approval, question.url);
}

function valueLine({ label, display, source, warnings }: ShownValue): string {
  const notes = warnings.length === 0 ? '' : ` [${warnings.map(visibleText).join('; ')}]`;
  const from = source === '' ? 'as the agent wrote it' : visibleText(source);
  return `${visibleText(label)}: ${visibleText(display)} (${from})${notes}`;
}

/** What an answer of the client means; `afterMs` since the form was sent. */
export function judgeForm(answer: JsonValue | undefined, afterMs: number): FormVerdict {
  if (!isJsonObject(answer)) return 'none';
  if (answer['action'] === 'decline') return afterMs < hastyDeclineMs ? 'none' : 'reject';
  const content = answer['content'];
  if (answer['action'] !== 'accept' || !isJsonObject(content)) return 'none';
  if (Object.keys(content).length !== 1) return 'none';
  const { decision } = content;
  return decision === 'approve' || decision === 'reject' ? decision : 'none';
}
