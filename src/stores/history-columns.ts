// Columns of comparisons and drafts that hold lists and objects, and the answers in the log.
import type { AmendmentDraft, ApprovalFigure, HistoryRow } from '../core/history.ts';

/** Of a row that was erased both are empty. */
export function readPaths(text: string): readonly string[] {
  return text === '' ? [] : (JSON.parse(text) as readonly string[]);
}

export function readFields(text: string): HistoryRow['fields'] {
  return text === '' ? {} : (JSON.parse(text) as HistoryRow['fields']);
}

export function readBasis(text: string): AmendmentDraft['basis'] {
  return JSON.parse(text) as AmendmentDraft['basis'];
}

const decoder = new TextDecoder();

/** One answer of a person, from its leaf. */
export function readAnswer(bytes: Uint8Array): ApprovalFigure['answers'][number] {
  const leaf = JSON.parse(decoder.decode(bytes)) as {
    readonly ts: number;
    readonly verdict: string;
  };
  return { approves: leaf.verdict === 'approve', atMs: leaf.ts };
}
