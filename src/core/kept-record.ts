// Small documents that the store keeps beside its tables: people, passkeys, enrolment codes, sessions
// of the page. Each changes only from the version that was read.

export type RecordKind = 'person' | 'credential' | 'enrolment' | 'session';

export interface KeptRecord {
  readonly kind: RecordKind;
  /** Unique within its kind. */
  readonly id: string;
  /** `personId` of whom it is about. */
  readonly owner: string;
  /** JSON text. */
  readonly fields: string;
  /** 1 when it is new, one more with each change. */
  readonly version: number;
  /** Gone from this instant on; undefined = stays. */
  readonly expiresMs: number | undefined;
}

/** A new document, another text for one, or its end (`fields` undefined). */
export interface RecordChange {
  readonly kind: RecordKind;
  readonly id: string;
  readonly owner: string;
  /** Version that was read; undefined = there is none yet. */
  readonly from: number | undefined;
  readonly fields: string | undefined;
  readonly expiresMs?: number | undefined;
}

/** Key of a document among all kinds. */
export const recordKey = ({ kind, id }: Pick<KeptRecord, 'kind' | 'id'>): string =>
  `${kind}\n${id}`;

/** One document, or those of one kind, of everybody or of one person. */
export interface RecordQuery {
  readonly kind: RecordKind;
  readonly id?: string;
  readonly owner?: string;
}
