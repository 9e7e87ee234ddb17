// Records of a registry file: JSON `{id: value or fields}` or CSV with a header row.
import { messageLimits, parseStrictJson } from '../../core/checks/strict-json.ts';
import { isJsonObject, isRawNumber, type JsonValue } from '../../core/json-value.ts';
import { parseCsv } from './parse-csv.ts';

export type RecordValue = string | number | boolean;

/** One record as its owner wrote it. */
export interface FileRecord {
  readonly id: string;
  readonly fields: ReadonlyMap<string, RecordValue>;
  /** The plain value of a JSON record that is no object. */
  readonly plain: RecordValue | undefined;
}

export type Parsed =
  | { readonly ok: true; readonly records: readonly FileRecord[] }
  | { readonly ok: false; readonly message: string; readonly line?: number };

/** A registry file may be larger than a message: 256 MiB, flat. */
const fileLimits = {
  ...messageLimits,
  sizeMaxBytes: 268_435_456,
  depthMax: 4,
  keysMax: 10_000_000,
  nodesMax: 100_000_000,
};

export function parseRecords(text: string, format: 'json' | 'csv'): Parsed {
  return format === 'json' ? parseJsonRecords(text) : parseCsvRecords(text);
}

function parseJsonRecords(text: string): Parsed {
  const parsed = parseStrictJson(text.replace(/^\uFEFF/, ''), fileLimits);
  if (!parsed.ok) {
    const { code, offset } = parsed.error;
    const why = code === 'json_duplicate_key' ? 'a record id or field is written twice' : `is not strict JSON (${code})`;
    return { ok: false, message: why, line: lineAt(text, offset) };
  }
  if (!isJsonObject(parsed.value)) return { ok: false, message: 'must be one object: {"<record id>": <value>}' };
  const records: FileRecord[] = [];
  for (const [id, value] of Object.entries(parsed.value)) {
    const record = readRecord(id, value);
    if (typeof record === 'string') return { ok: false, message: record };
    records.push(record);
  }
  return { ok: true, records };
}

function readRecord(id: string, value: JsonValue): FileRecord | string {
  if (!isJsonObject(value)) {
    const plain = scalarOf(value);
    return plain === undefined ? `record \`${id}\`: its value must be a text, a number or fields` : { id, fields: new Map(), plain };
  }
  const fields = new Map<string, RecordValue>();
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const scalar = scalarOf(member);
    if (scalar === undefined) return `record \`${id}\`: the field \`${name}\` must be a text, a number or true/false`;
    fields.set(name, scalar);
  }
  return { id, fields, plain: undefined };
}

function scalarOf(value: JsonValue): RecordValue | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return isRawNumber(value) && Number.isFinite(Number(value.rawJSON)) ? Number(value.rawJSON) : undefined;
}

/** The column `id` names the record, else the first one. */
function parseCsvRecords(text: string): Parsed {
  const table = parseCsv(text.replace(/^\uFEFF/, ''));
  if (!table.ok) return table;
  const [header, ...rows] = table.rows;
  if (header === undefined) return { ok: false, message: 'is empty: the first row must name the columns' };
  const idColumn = Math.max(0, header.indexOf('id'));
  const seen = new Set<string>();
  const records: FileRecord[] = [];
  for (const [index, row] of rows.entries()) {
    const id = row[idColumn] ?? '';
    if (row.length !== header.length) return { ok: false, line: index + 2, message: `has ${row.length} columns, the header has ${header.length}` };
    if (id === '' || seen.has(id)) return { ok: false, line: index + 2, message: id === '' ? 'has no record id' : `the record id \`${id}\` is there twice` };
    seen.add(id);
    const cells = header.map((name, column) => [name, row[column] ?? ''] as const).filter(([, cell]) => cell !== '');
    records.push({ id, fields: new Map(cells), plain: undefined });
  }
  return { ok: true, records };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
