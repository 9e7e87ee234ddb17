// The five stories that every peer tells about a gateway, what a peer writes down while it tells
// them, and what must be true of it. The report is one shape for all peers, in Python too.

/** How the peer starts the gateway. */
export interface PeerTarget {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Scenario {
  readonly name: string;
  /** Names that `tools/list` must hold. */
  readonly listed: readonly string[];
  readonly executed?: { readonly call: ToolCall; readonly textIncludes?: string };
  readonly refused?: {
    readonly call: ToolCall;
    readonly stage: string;
    readonly codes: readonly string[];
  };
  readonly pending?: {
    readonly call: ToolCall;
    /** `form`: the client declares forms and approves; `page`: it cannot, the page is used. */
    readonly by: 'form' | 'page';
    readonly textIncludes?: string;
  };
  readonly killed?: {
    readonly call: ToolCall;
    /**
     * `self`: the server dies of this call. Otherwise the processes below the gateway whose
     * command line holds this text are stopped, called and then killed.
     */
    readonly kill: 'self' | { readonly commandIncludes: string };
    /** `error`: a passthrough call, an error result without a decision. */
    readonly status: 'unknown' | 'failed' | 'error';
  };
}

/** `_meta["io.intentplane/decision"]`; more fields may come. */
export interface DecisionObject {
  readonly decision_id: string;
  readonly op_id?: string;
  readonly status: string;
  readonly stage: string;
  readonly codes: readonly string[];
  readonly next: readonly { readonly do: string; readonly url?: string }[];
  readonly approval?: { readonly id: string; readonly url?: string; readonly how: string };
}

export type CallObservation =
  | {
      readonly kind: 'result';
      readonly isError: boolean;
      /** All text blocks, joined by newlines. */
      readonly text: string;
      readonly structured: unknown;
      readonly decision: DecisionObject | null;
    }
  | { readonly kind: 'error'; readonly code: number | null; readonly message: string };

export interface FormObservation {
  readonly message: string;
  readonly requestedSchema: unknown;
}

export interface StoryReport {
  readonly peer: string;
  readonly protocolVersion: string;
  readonly tools: readonly { readonly name: string; readonly hasOutputSchema: boolean }[];
  readonly executed: CallObservation | null;
  readonly refused: CallObservation | null;
  readonly pending: {
    readonly forms: readonly FormObservation[];
    readonly first: CallObservation;
    readonly second: CallObservation | null;
  } | null;
  readonly killed: CallObservation | null;
  /** The gateway answers `tools/list` after everything. */
  readonly isAlive: boolean;
}

/** Called between the pending answer and the repeated call: a person approves on the page. */
export type Approve = (decision: DecisionObject) => Promise<void>;

/** What is wrong with a report, in words; empty when all stories went as they must. */
export function judgeReport(scenario: Scenario, report: StoryReport): string[] {
  return [
    ...judgeList(scenario, report),
    ...judgeExecuted(scenario, report),
    ...judgeRefused(scenario, report),
    ...judgePending(scenario, report),
    ...judgeKilled(scenario, report),
    ...(report.isAlive ? [] : ['alive: the gateway no longer answers']),
  ];
}

function judgeList({ listed }: Scenario, { tools }: StoryReport): string[] {
  const names = tools.map((tool) => tool.name);
  const missing = listed.filter((name) => !names.includes(name));
  const doubled = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...missing.map((name) => `list: ${name} is missing`),
    ...doubled.map((name) => `list: ${name} is there twice`),
  ];
}

function judgeExecuted({ executed }: Scenario, report: StoryReport): string[] {
  if (executed === undefined) return [];
  return judgeSuccess('executed', report.executed, {
    textIncludes: executed.textIncludes,
    hasOutputSchema: hasOutputSchema(report, executed.call),
  });
}

function judgeRefused({ refused }: Scenario, report: StoryReport): string[] {
  if (refused === undefined) return [];
  const { stage, codes } = refused;
  const expected = { status: 'denied', hasOutputSchema: hasOutputSchema(report, refused.call) };
  const problems = judgeBlocked('refused', report.refused, expected);
  const decision = report.refused?.kind === 'result' ? report.refused.decision : null;
  if (decision !== null && decision.stage !== stage) {
    problems.push(`refused: stage ${decision.stage}, not ${stage}`);
  }
  const missing = codes.filter((code) => !decision?.codes.includes(code));
  problems.push(...missing.map((code) => `refused: code ${code} is missing`));
  const text = report.refused?.kind === 'result' ? report.refused.text : '';
  if (!text.startsWith(`Blocked by intentplane: [${stage}] `)) {
    problems.push(`refused: the text begins \`${text.slice(0, 60)}\``);
  }
  return problems;
}

function judgePending({ pending }: Scenario, report: StoryReport): string[] {
  if (pending === undefined) return [];
  const seen = report.pending;
  if (seen === null) return ['pending: not told'];
  const schema = { hasOutputSchema: hasOutputSchema(report, pending.call) };
  const success = { ...schema, textIncludes: pending.textIncludes };
  if (pending.by === 'form') {
    const asked = seen.forms.length === 1 ? [] : [`pending: ${seen.forms.length} forms, not 1`];
    return [...asked, ...judgeSuccess('pending, approved', seen.first, success)];
  }
  return [
    ...judgeBlocked('pending', seen.first, { ...schema, status: 'pending' }),
    ...judgeSuccess('pending, repeated', seen.second, success),
  ];
}

function judgeKilled({ killed }: Scenario, report: StoryReport): string[] {
  if (killed === undefined) return [];
  const seen = report.killed;
  if (killed.status !== 'error') {
    const expected = {
      status: killed.status,
      hasOutputSchema: hasOutputSchema(report, killed.call),
    };
    return judgeBlocked('killed', seen, expected);
  }
  const isErrorResult = seen?.kind === 'result' && seen.isError && seen.decision === null;
  return isErrorResult ? [] : [`killed: not an error result: ${JSON.stringify(seen)}`];
}

interface ExpectedSuccess {
  readonly textIncludes: string | undefined;
  readonly hasOutputSchema: boolean;
}

function judgeSuccess(
  story: string,
  seen: CallObservation | null,
  { textIncludes, hasOutputSchema }: ExpectedSuccess,
): string[] {
  if (seen?.kind !== 'result' || seen.isError) return [`${story}: ${JSON.stringify(seen)}`];
  const problems: string[] = [];
  if (seen.decision !== null) problems.push(`${story}: carries a decision`);
  if (textIncludes !== undefined && !seen.text.includes(textIncludes)) {
    problems.push(`${story}: the text lacks \`${textIncludes}\`: ${seen.text.slice(0, 200)}`);
  }
  if (hasOutputSchema && seen.structured === null) {
    problems.push(`${story}: no structured content although the tool declares it`);
  }
  return problems;
}

interface ExpectedBlock {
  readonly status: string;
  readonly hasOutputSchema: boolean;
}

function judgeBlocked(
  story: string,
  seen: CallObservation | null,
  { status, hasOutputSchema }: ExpectedBlock,
): string[] {
  if (seen?.kind !== 'result' || !seen.isError) return [`${story}: ${JSON.stringify(seen)}`];
  const { decision, structured, text } = seen;
  if (decision === null) return [`${story}: no decision in _meta: ${text.slice(0, 200)}`];
  const problems: string[] = [];
  if (decision.status !== status)
    problems.push(`${story}: status ${decision.status}, not ${status}`);
  if (!text.includes(decision.decision_id))
    problems.push(`${story}: the text lacks its decision id`);
  if (decision.next.length === 0) problems.push(`${story}: no next step`);
  if (hasOutputSchema && structured !== null) {
    problems.push(`${story}: structured content that does not fit the output schema`);
  }
  if (!hasOutputSchema && !isSameJson(structured, decision)) {
    problems.push(`${story}: structured content is not the decision`);
  }
  return problems;
}

function hasOutputSchema({ tools }: StoryReport, call: ToolCall): boolean {
  return tools.find((tool) => tool.name === call.name)?.hasOutputSchema ?? false;
}

/** Equal as JSON, whatever the order of the keys. */
function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(sortKeys(left)) === JSON.stringify(sortKeys(right));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
