// Both verifiers over one folder of vectors: ours in this process, the Python one in one of its own.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { answerVector, type VectorAnswer } from './answer-vector.ts';
import type { ReceiptVector } from './receipt-vector.ts';

/** A vector that one of the two answers otherwise than it expects. */
export interface Disagreement {
  readonly vector: string;
  readonly ours: VectorAnswer;
  /** Absent when Python gave no answer. */
  readonly python: VectorAnswer | undefined;
  readonly expect: VectorAnswer;
}

/** What `npm run vectors -- --json` prints. */
export interface Comparison {
  readonly ok: boolean;
  readonly vectors: number;
  readonly agreeing: number;
  readonly disagreements: readonly Disagreement[];
}

/** Where the package of the second verifier is. */
export const pythonVerifierFolder: string = fileURLToPath(
  new URL('../../integrations/python-verify', import.meta.url),
);

/** The answers of both verifiers to a folder, beside what each vector expects. */
export async function compareVerifiers(python: string, folder: string): Promise<Comparison> {
  const answers = answersOfPython(python, folder);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const disagreements: Disagreement[] = [];
  for (const file of files.sort()) {
    const name = file.slice(0, -'.json'.length);
    const vector = JSON.parse(readFileSync(join(folder, file), 'utf8')) as ReceiptVector;
    const { expect } = vector;
    const found = { ours: await answerVector(vector), python: answers.get(name) };
    const agrees = [found.ours, found.python].every((each) => isDeepStrictEqual(each, expect));
    if (!agrees) disagreements.push({ vector: name, ...found, expect });
  }
  return {
    ok: files.length > 0 && disagreements.length === 0,
    vectors: files.length,
    agreeing: files.length - disagreements.length,
    disagreements,
  };
}

/** What the Python verifier says, by the name of the vector. One process reads the whole folder. */
export function answersOfPython(python: string, folder: string): ReadonlyMap<string, VectorAnswer> {
  const { status, stdout, stderr } = runPythonVerifier(python, ['--vectors', folder]);
  if (status !== 0) throw new Error(`the Python verifier failed: ${stderr.trim()}`);
  return new Map(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { vector, ...answer } = JSON.parse(line) as VectorAnswer & { vector: string };
        return [vector, answer] as const;
      }),
  );
}

/** Runs `python -m intentplane_verify` to its end. */
export function runPythonVerifier(
  python: string,
  args: readonly string[],
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const run = spawnSync(python, ['-m', 'intentplane_verify', ...args], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: pythonVerifierFolder, PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.error !== undefined) throw new Error(`\`${python}\` cannot be run`, { cause: run.error });
  return run;
}
