// Every peer in front of every server, with the real proxy in between.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEffects } from '../../fixtures/effects-file.ts';
import { describeWithPython } from '../../peers/python-peer.ts';
import { runPythonStories } from './python-client.ts';
import {
  proxyPath,
  type StagedGateway,
  stageEverything,
  stageFilesystem,
  stagePythonBank,
} from './staged-gateways.ts';
import { type Approve, judgeReport, type StoryReport } from './story.ts';
import { runTypescriptV1Stories } from './typescript-v1-client.ts';
import { runTypescriptV2Stories } from './typescript-v2-client.ts';

type RunStories = (staged: StagedGateway) => Promise<StoryReport>;

const isBuilt = existsSync(proxyPath);
const mustRun = process.env['CI'] !== undefined;
let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-stories-')));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const noPage: Approve = () => Promise.reject(new Error('the form should have been enough'));

const runTypescriptV1: RunStories = ({ target, scenario }) =>
  runTypescriptV1Stories(target, scenario, noPage);

const runTypescriptV2 =
  (mode: 'legacy' | 'auto'): RunStories =>
  ({ target, scenario }) =>
    runTypescriptV2Stories({ ...target, mode }, scenario, noPage);

const runPython =
  (python: string, mode: string): RunStories =>
  ({ target, scenario }) =>
    runPythonStories({ ...target, python, mode }, scenario, noPage);

function describePeer(name: string, run: RunStories): void {
  describe(name, () => {
    it.each([
      ['server-filesystem', stageFilesystem],
      ['server-everything', stageEverything],
    ])('tells all five stories in front of %s', async (_name, stage) => {
      const staged = stage(folder);
      expect(judgeReport(staged.scenario, await run(staged))).toEqual([]);
    });
  });
}

function describePeerWithBank(name: string, python: string, run: RunStories): void {
  it(`${name} tells all five stories in front of the Python server`, async () => {
    const effects = join(folder, 'effects.jsonl');
    const staged = stagePythonBank(folder, python, effects);
    expect(judgeReport(staged.scenario, await run(staged))).toEqual([]);
    const paid = readEffects(effects).map((effect) => effect.arguments);
    const recipient = 'DE89370400440532013000';
    expect(paid).toMatchObject([
      { recipient, amount: 480 },
      { recipient, amount: 1240 },
      { recipient, amount: 5, subject: 'crash' },
    ]);
  });
}

describe.skipIf(!(isBuilt || mustRun))('the proxy (skipped unless built: npm run build)', () => {
  describePeer('TypeScript SDK v1', runTypescriptV1);
  describePeer('TypeScript SDK v2, legacy', runTypescriptV2('legacy'));
  describePeer('TypeScript SDK v2, auto', runTypescriptV2('auto'));
  describeWithPython('Python package mcp', (python) => {
    describePeer('Python, legacy', runPython(python, 'legacy'));
    describePeer('Python, auto', runPython(python, 'auto'));
    describePeerWithBank('TypeScript SDK v1', python, runTypescriptV1);
    describePeerWithBank('TypeScript SDK v2, legacy', python, runTypescriptV2('legacy'));
    describePeerWithBank('TypeScript SDK v2, auto', python, runTypescriptV2('auto'));
    describePeerWithBank('Python, legacy', python, runPython(python, 'legacy'));
    describePeerWithBank('Python, auto', python, runPython(python, 'auto'));
  });
});
