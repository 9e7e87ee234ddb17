// A report of the gateway as a tool result: words for the agent, an object for programs. Nothing
// in it that the agent may not know.
import type { JsonObject } from '../core/json-value.ts';
import { type NextStep, type ReasonCode, reasonCodes, type Stage } from '../core/reason-codes.ts';
import type { AnswerReport, PendingApproval } from '../gateway/gateway.ts';
import { quoted, visibleText } from './quoted.ts';

export const decisionKey = 'io.intentplane/decision';

const textMaxLength = 1500;

/** A report of the gateway, or of the proxy itself about a call that was never proposed. */
export type Report = AnswerReport;

export interface ReportContext {
  /** The tool announces an output schema: only a result that fits it may be structured. */
  readonly hasOutputSchema: boolean;
  readonly hasOwnTools: boolean;
}

/** The result that tells a report. */
export function reportResult(report: Report, context: ReportContext): JsonObject {
  const object = reportObject(report, context);
  return {
    content: [{ type: 'text', text: reportText(report, context) }],
    ...(context.hasOutputSchema ? {} : { structuredContent: object }),
    isError: true,
    _meta: { [decisionKey]: object },
  };
}

/** The object for programs. */
export function reportObject(report: Report, context: ReportContext): JsonObject {
  const paths = [
    ...new Set(report.failures.flatMap(({ path }) => (path === undefined ? [] : [path]))),
  ];
  const tried = [...new Set(report.failures.flatMap(({ triedSources }) => triedSources ?? []))];
  const { decisionId, opId, approval, unknownSinceMs } = report;
  return {
    ...(decisionId === undefined ? {} : { decision_id: decisionId }),
    ...(opId === undefined ? {} : { op_id: opId }),
    status: report.status,
    stage: report.stage,
    codes: report.codes,
    ...(paths[0] === undefined ? {} : { parameter: paths[0], parameters: paths }),
    ...(tried.length === 0 ? {} : { tried_sources: tried }),
    next: report.next.map((step) => nextObject(step, report, context)),
    ...(approval === undefined ? {} : { approval: approvalObject(approval) }),
    ...(report.status === 'unknown'
      ? {
          outcome: {
            ...(unknownSinceMs === undefined
              ? {}
              : { since: new Date(unknownSinceMs).toISOString() }),
            what_we_do: 'the gateway keeps the operation open until its outcome is known',
            may_repeat: false,
          },
        }
      : {}),
  };
}

/** Words for the agent; understandable without the object. */
export function reportText(report: Report, context: ReportContext): string {
  const first = firstLine(report);
  const last = report.decisionId === undefined ? '' : `\nDecision id: ${report.decisionId}`;
  const nextLines = report.next.map((step) => nextLine(step, report, context));
  const middle = [...failureLines(report), ...nextLines].join('\n');
  const space = textMaxLength - first.length - last.length - 2;
  const clipped = middle.length > space ? `${middle.slice(0, space - 1)}…` : middle;
  return `${first}${clipped === '' ? '' : `\n${clipped}`}${last}`;
}

function firstLine({ status, stage, codes, approval, reason }: Report): string {
  const code = codes[0];
  const sentence = code === undefined ? '' : reasonCodes[code].sentence;
  const named = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
  switch (status) {
    case 'denied': {
      const why = reason === undefined ? '' : `: ${visibleText(reason)}`;
      return `Blocked by intentplane: [${stageName(stage, code)}] ${sentence}${named}${why}.`;
    }
    case 'pending':
      return `Waiting for a person: ${visibleText(approval?.summary ?? sentence)}${named}. Nothing was executed.`;
    case 'failed': {
      const why = reason === undefined ? '' : `: ${visibleText(reason)}`;
      return `Failed, nothing took effect${named}${why}.`;
    }
    case 'unknown':
      return `It is not known whether the effect happened${named}. The gateway keeps it open until somebody looks. Do not repeat the call: a repeat sends nothing.`;
  }
}

// The name that programs written for the older releases look for.
const stageName = (stage: Stage, code: ReasonCode | undefined): string =>
  code === 'INTERNAL' ? 'error' : stage;

function failureLines({ failures, status }: Report): string[] {
  if (status !== 'denied') return [];
  let hasEchoed = false;
  return failures.map(({ code, path, detail, expected, given, rules, triedSources }) => {
    const where = path === undefined ? '' : `\`${visibleText(path)}\`: `;
    let line = `- ${where}${reasonCodes[code].sentence}`;
    if (detail !== undefined) line += ` (${visibleText(detail)})`;
    if (given !== undefined && !hasEchoed) {
      hasEchoed = true;
      line += `; given ${quoted(given)}`;
    }
    if (expected !== undefined) line += `; expected: ${visibleText(expected)}`;
    if (rules !== undefined && rules.length > 0) line += `; by ${visibleText(rules.join(', '))}`;
    if (triedSources !== undefined && triedSources.length > 0) {
      line += `; looked up in ${triedSources.join(', ')}`;
    }
    return line;
  });
}

function nextLine(step: NextStep, report: Report, context: ReportContext): string {
  switch (step) {
    case 'use_trusted_value':
      return context.hasOwnTools
        ? 'Next: use a trusted value; intentplane_list_trusted lists them.'
        : 'Next: use a value that the owner has on record.';
    case 'fix_argument':
      return 'Next: correct the argument and call again.';
    case 'ask_owner':
      return 'Next: ask the owner of this gateway.';
    case 'open_link':
      return openLinkText(report.approval);
    case 'repeat_same_call':
      return report.status === 'pending'
        ? 'Then repeat the same call with the same arguments.'
        : 'Next: repeat the same call.';
    case 'wait':
      return `Next: wait ${report.waitSeconds ?? 60} s.`;
    case 'do_not_repeat':
      return 'Do not repeat the call.';
    case 'stop':
      return 'Stop here: another attempt will be refused too.';
  }
}

function openLinkText(approval: PendingApproval | undefined): string {
  if (approval === undefined) return 'Next: a person must confirm this.';
  const { url } = approval;
  const until = new Date(approval.expiresMs).toISOString();
  if (url === undefined) return `Next: the person confirms it, until ${until}.`;
  return `Next: tell the person to confirm it at ${url} (until ${until}).`;
}

function nextObject(step: NextStep, report: Report, context: ReportContext): JsonObject {
  switch (step) {
    case 'use_trusted_value':
      return {
        do: step,
        ...(context.hasOwnTools ? { tool: 'intentplane_list_trusted' } : {}),
        ...registryOf(report),
      };
    case 'fix_argument': {
      const expected = report.failures.find((failure) => failure.expected !== undefined)?.expected;
      return { do: step, ...(expected === undefined ? {} : { expected }) };
    }
    case 'open_link': {
      const url = report.approval?.url;
      return { do: step, ...(url === undefined ? {} : { url }) };
    }
    case 'repeat_same_call':
      return { do: step, ...(report.status === 'pending' ? { after: 'approval' } : {}) };
    case 'wait':
      return { do: step, seconds: report.waitSeconds ?? 60 };
    case 'ask_owner':
    case 'do_not_repeat':
    case 'stop':
      return { do: step };
  }
}

/** The first registry that was asked: where a trusted value can be found. */
function registryOf({ failures }: Report): JsonObject {
  const sources = failures.flatMap(({ triedSources }) => triedSources ?? []);
  const source = sources.find((name) => name.startsWith('registry:'));
  return source === undefined ? {} : { registry: source.slice('registry:'.length) };
}

function approvalObject(approval: PendingApproval): JsonObject {
  const { approvalId, level, url, expiresMs, summary, how } = approval;
  return {
    id: approvalId,
    level,
    ...(url === undefined ? {} : { url }),
    expires_at: new Date(expiresMs).toISOString(),
    summary,
    how,
  };
}
