// Records of a registry file: JSON `{id: value or fields}` or CSV with a header row, in batches.
import { type JsonFault, messageLimits, parseStrictJson } from '../../core/checks/strict-json.ts';
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../core/json-value.ts';
import { memberRuns } from './json-members.ts';
import { csvRows } from './parse-csv.ts';

export type RecordValue = string | number | boolean;

/** One record as its owner wrote it. */
export interface FileRecord {
  readonly id: string;
  readonly fields: ReadonlyMap<string, RecordValue>;
  /** The plain value of a JSON record that is no object. */
  readonly plain: RecordValue | undefined;
  /** 1-based, where the format tells it. */
  readonly line?: number;
}

/** Why a file cannot be used; the sentence goes on after the file's name. */
export interface FileProblem {
  readonly message: string;
  readonly line?: number;
}

export type RecordFormat = 'json' | 'csv';
type Batches = Generator<readonly FileRecord[], FileProblem | undefined>;

/** Batches of records in the order of the file; returns the first problem. */
export function readRecords(text: string, format: RecordFormat): Batches {
  const plain = text.replace(/^\uFEFF/, '');
  return format === 'json' ? jsonRecords(plain) : csvRecords(plain);
}

/** Any size, flat, and no number that would have to be rounded. */
const recordLimits = {
  ...messageLimits,
  sizeMaxBytes: Number.POSITIVE_INFINITY,
  depthMax: 4,
  numbers: 'guarded',
} as const;

function* jsonRecords(text: string): Batches {
  if (text.trim() === '') return { message: 'is empty: write {} or {"<record id>": <value>}' };
  if (!/^\s*\{/.test(text)) return { message: 'must be one object: {"<record id>": <value>}' };
  const runs = memberRuns(text);
  for (;;) {
    const { done, value: run } = runs.next();
    if (done) return run ? undefined : jsonFault(text, 0);
    const parsed = parseStrictJson(`{${run.text}}`, recordLimits);
    if (!parsed.ok)
      return jsonFault(`{${run.text}}`, countLines(text.slice(0, run.at)), parsed.error);
    const batch: FileRecord[] = [];
    for (const [id, value] of Object.entries(parsed.value as JsonObject)) {
      const record = readRecord(id, value);
      if (typeof record === 'string') return { message: record };
      batch.push(record);
    }
    yield batch;
  }
}

const faultWords: Readonly<Record<string, string>> = {
  json_duplicate_key: 'has a record id or a field twice',
  json_number: 'has a number that would have to be rounded: write it as text',
  json_depth: 'is nested too deep: a record is a value or an object of values',
};

/** Without a fault of a part, the whole text says what is wrong with it. */
function jsonFault(text: string, linesBefore: number, known?: JsonFault): FileProblem {
  const parsed = known === undefined ? parseStrictJson(text, recordLimits) : undefined;
  const fault = known ?? (parsed?.ok === false ? parsed.error : { code: 'json_syntax', offset: 0 });
  const before = Buffer.from(text).subarray(0, fault.offset).toString();
  const message = faultWords[fault.code] ?? `is no strict JSON (${fault.code})`;
  return { message, line: linesBefore + countLines(before) + 1 };
}

function readRecord(id: string, value: JsonValue): FileRecord | string {
  if (id === '') return 'has a record without an id';
  if (!isJsonObject(value)) {
    const plain = scalarOf(value);
    return plain === undefined
      ? `record \`${id}\`: its value must be a text, a number, true/false or an object of fields`
      : { id, fields: new Map(), plain };
  }
  const fields = new Map<string, RecordValue>();
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const scalar = scalarOf(member);
    if (scalar === undefined) {
      return `record \`${id}\`: the field \`${name}\` must be a text, a number or true/false`;
    }
    fields.set(name, scalar);
  }
  return { id, fields, plain: undefined };
}

function scalarOf(value: JsonValue): RecordValue | undefined {
  if (isRawNumber(value)) return Number(value.rawJSON);
  return typeof value === 'object' ? undefined : value;
}

/** Rows per batch. */
const batchRows = 1_000;

/** The column `id` names the record, else the first one. */
function* csvRecords(text: string): Batches {
  const rows = csvRows(text);
  const first = rows.next();
  if (first.done)
    return first.value ?? { message: 'is empty: the first row must name the columns' };
  const header = first.value.cells.map((name) => name.trim());
  const headerProblem = checkHeader(header);
  if (headerProblem !== undefined) return { message: headerProblem, line: first.value.line };
  let batch: FileRecord[] = [];
  for (;;) {
    const next = rows.next();
    if (next.done) {
      yield batch;
      return next.value;
    }
    const { cells, line } = next.value;
    if (cells.length !== header.length) {
      return { message: `has ${cells.length} cells where the header has ${header.length}`, line };
    }
    const record = rowRecord(header, cells, line);
    if (record.id === '') return { message: 'has a row without a record id', line };
    batch.push(record);
    if (batch.length === batchRows) {
      yield batch;
      batch = [];
    }
  }
}

function checkHeader(header: readonly string[]): string | undefined {
  const empty = header.indexOf('');
  if (empty >= 0) return `has no name for column ${empty + 1}`;
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  return twice === undefined ? undefined : `has two columns \`${twice}\``;
}

/** An empty cell is a field that the record does not have. */
function rowRecord(header: readonly string[], cells: readonly string[], line: number): FileRecord {
  const filled = header.map((name, column) => [name, cells[column] as string] as const);
  const fields = new Map(filled.filter(([, cell]) => cell !== ''));
  return { id: cells[Math.max(0, header.indexOf('id'))] as string, fields, plain: undefined, line };
}

const countLines = (text: string): number => text.split('\n').length - 1;
