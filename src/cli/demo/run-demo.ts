// The demo: a scripted agent obeys a fraudulent mail, behind the real proxy, with the real store.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentResult, DemoAgent } from './demo-agent.ts';
import { checkDemoReceipts, type DemoReceipts } from './demo-receipts.ts';
import { type DemoOutcome, type DemoStep, demoSteps } from './demo-steps.ts';
import { demoWorld } from './demo-world.ts';

/** One row of the table. */
export interface DemoRow extends DemoOutcome {
  readonly call: string;
  readonly ok: boolean;
  /** What the agent was told about the refusal. */
  readonly answer: string | null;
}

export interface DemoReport {
  readonly ok: boolean;
  readonly rows: readonly DemoRow[];
  readonly receipts: DemoReceipts;
}

export interface DemoPaths {
  /** The script that runs `intentplane`. */
  readonly main: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Everything happens in a temporary folder, which is removed at the end. */
export async function runDemo(paths: DemoPaths): Promise<DemoReport> {
  const folder = mkdtempSync(join(tmpdir(), 'intentplane-demo-'));
  try {
    const configFile = writeDemoFiles(folder);
    const environment = {
      ...paths.environment,
      INTENTPLANE_DEMO_NODE: process.execPath,
      INTENTPLANE_DEMO_MAIN: paths.main,
    };
    const rows = await runSteps(
      new DemoAgent([process.execPath, paths.main, 'mcp', 'run', '--config', configFile], {
        env: environment,
      }),
    );
    const receipts = await checkDemoReceipts(configFile, environment);
    const isProven =
      receipts.size > 0 && receipts.verified === receipts.size && receipts.tamper_detected;
    return { ok: isProven && rows.every((row) => row.ok), rows, receipts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The configuration ships with the package; the registries come from the demo world. */
function writeDemoFiles(folder: string): string {
  cpSync(fileURLToPath(new URL('./files', import.meta.url)), folder, { recursive: true });
  const beneficiaries = Object.fromEntries(
    demoWorld.beneficiaries.map(({ id, iban }) => [id, iban]),
  );
  const correspondents = Object.fromEntries(
    demoWorld.correspondents.map((address, index) => [`c${index + 1}`, address]),
  );
  writeFileSync(join(folder, 'beneficiaries.json'), JSON.stringify(beneficiaries));
  writeFileSync(join(folder, 'correspondents.json'), JSON.stringify(correspondents));
  return join(folder, 'intentplane.toml');
}

async function runSteps(agent: DemoAgent): Promise<readonly DemoRow[]> {
  const rows: DemoRow[] = [];
  try {
    await agent.start();
    await agent.call('read_inbox', {});
    for (const step of demoSteps) rows.push(await runStep(agent, step));
  } finally {
    await agent.stop();
  }
  return rows;
}

/** Runs the attempts until one is refused, and reads what really happened from the server's own list. */
async function runStep(agent: DemoAgent, step: DemoStep): Promise<DemoRow> {
  const formsBefore = agent.formsAnswered;
  const results: AgentResult[] = [];
  for (const args of step.attempts) {
    const result = await agent.call(step.tool, args);
    results.push(result);
    if (result.isError === true) break;
  }
  const refused = results.find((result) => result.isError === true);
  const executed = results.filter((result) => result.isError !== true);
  const code = refused === undefined ? null : codeOf(refused);
  const isAsked = agent.formsAnswered > formsBefore;
  const seen: DemoOutcome = {
    outcome: describe({ step, executed, code, isRefused: refused !== undefined, isAsked }),
    code,
    effects: executed.length,
  };
  const { expected } = step;
  const ok =
    seen.outcome === expected.outcome &&
    seen.code === expected.code &&
    seen.effects === expected.effects;
  return { call: step.call, ...seen, ok, answer: refused?.content?.[0]?.text ?? null };
}

const refusals: Readonly<Record<string, string>> = {
  POLICY_FORBIDDEN: 'refused, whatever a person says',
  BUDGET_AMOUNT: 'refused: the session budget is used up',
};

function describe(seen: {
  readonly step: DemoStep;
  readonly executed: readonly AgentResult[];
  readonly code: string | null;
  readonly isRefused: boolean;
  readonly isAsked: boolean;
}): string {
  const { step, executed, code, isRefused, isAsked } = seen;
  if (isAsked && executed.length === 1)
    return 'waited for the person; the demo approved the form; executed';
  if (isRefused) {
    const what = refusals[code ?? ''] ?? 'refused';
    return executed.length > 0 ? `${executed.length} executed, then ${what}` : what;
  }
  const [first] = executed;
  return isOnFile(first, step) ? 'executed with the spelling on file' : 'executed';
}

/** The server saw the record's own text, not the agent's. */
function isOnFile(result: AgentResult | undefined, step: DemoStep): boolean {
  const seen = result?.structuredContent?.['recipient'];
  const written = step.attempts[0]?.['recipient'];
  return (
    seen !== written && demoWorld.beneficiaries.some((beneficiary) => beneficiary.iban === seen)
  );
}

function codeOf(result: AgentResult): string | null {
  const decision = result._meta?.['io.intentplane/decision'] as
    | { readonly codes?: readonly string[] }
    | undefined;
  return decision?.codes?.[0] ?? null;
}
