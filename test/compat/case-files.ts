// The recorded cases: what is in their files, and how one is laid out in a temporary folder.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormAnswer } from './raw-client.ts';

/** What a client and the downstream servers can see of one call. */
export interface Outcome {
  readonly class: 'executed' | 'blocked' | 'error' | 'no-answer';
  readonly code?: number;
  readonly stage?: string;
  readonly text?: string;
  /** A confirmation form was shown. */
  readonly asked?: boolean;
  readonly downstreamServer?: string;
  readonly downstreamTool?: string;
  readonly downstreamArguments?: unknown;
}

/** What must hold where the outcome is another one on purpose. */
export interface Expectation {
  readonly class: Outcome['class'];
  readonly code?: number | string;
  readonly stage?: string;
  readonly status?: string;
  readonly asked?: boolean;
  readonly textIncludes?: string;
  readonly formIncludes?: readonly string[];
  readonly downstreamArguments?: unknown;
}

/** One scripted call with its recorded outcome. */
export interface RecordedCall {
  readonly tool: string;
  readonly arguments?: object;
  /** JSON text for what a parsed object cannot hold. */
  readonly rawArguments?: string;
  readonly elicitation?: FormAnswer;
  readonly outcome: Outcome;
  readonly differs?: { readonly row: string; readonly expect: Expectation };
}

/** The recorded facts of one configuration. */
export interface RecordedCase {
  readonly name: string;
  readonly about: string;
  readonly python: { readonly package: string; readonly version: string };
  readonly client?: { readonly elicitation: boolean };
  readonly tools: readonly string[];
  readonly calls: readonly RecordedCall[];
}

/** A text of a case's file that is replaced before the proxy starts. */
export interface Edit {
  readonly file: string;
  readonly replace: string;
  readonly with: string;
}

/** A case that edits turn into something that the Python proxy takes differently. */
export interface RecordedChange {
  readonly row: string;
  readonly about: string;
  readonly base: string;
  readonly edits: readonly Edit[];
  readonly call: Omit<RecordedCall, 'outcome'>;
  readonly outcome: { readonly starts: boolean; readonly error?: string; readonly call?: Outcome };
  readonly expect: (Expectation | RefusedFile) & { readonly args?: readonly string[] };
}

/** The file is refused at load, and the message names these things. */
export interface RefusedFile {
  readonly exit: number;
  readonly mentions: readonly string[];
}

/** A private copy of a case with everything that it needs around it. */
export interface CaseFolder {
  /** Where the configuration is. */
  readonly folder: string;
  readonly stateFolder: string;
  readonly shimFolder: string;
  remove(): void;
}

const COMPAT_FOLDER: string = import.meta.dirname;
const CASES_FOLDER: string = join(COMPAT_FOLDER, 'cases');

export function caseNames(): string[] {
  return readdirSync(CASES_FOLDER)
    .filter((name) => existsSync(join(CASES_FOLDER, name, 'calls.json')))
    .sort();
}

export function readCase(name: string): RecordedCase {
  return { name, ...readJson<Omit<RecordedCase, 'name'>>(join('cases', name, 'calls.json')) };
}

export function readChanges(): RecordedChange[] {
  return readJson<{ changes: RecordedChange[] }>('changes.json').changes;
}

export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(COMPAT_FOLDER, file), 'utf8'));
}

/** Copies a case beside the recording server, laid out as in the repository. */
export function copyCase(name: string): CaseFolder {
  const root = mkdtempSync(join(tmpdir(), 'intentplane-compat-'));
  cpSync(join(COMPAT_FOLDER, 'recording-server.ts'), join(root, 'recording-server.ts'));
  cpSync(join(CASES_FOLDER, name), join(root, 'cases', name), { recursive: true });
  cpSync(join(COMPAT_FOLDER, 'python-shim'), join(root, 'python-shim'), { recursive: true });
  return {
    folder: join(root, 'cases', name),
    stateFolder: join(root, 'state'),
    shimFolder: join(root, 'python-shim'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
