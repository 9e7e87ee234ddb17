// The bytes of one receipt: canonical JSON of one flat object. Which fields stand open in it is
// fixed here per type, because a leaf is public and can never be erased: whatever could be about
// a person is committed and never open. No hashing here, so the browser verifier reads it too.
import type { CanonicalValue } from './canonical-json.ts';

/** Longest leaf: an entry of a C2SP bundle has a 16-bit length, and proofs stay small. */
export const leafSizeMaxBytes = 16_384;

/** Fields that a leaf of any type has or may have. */
export const commonFields = [
  'code',
  'commit',
  'config',
  'gw',
  'op_id',
  'prev',
  'seq',
  'state',
  'ts',
  'type',
  'v',
] as const;

/** What one type of leaf holds in the open, beside the common fields. */
export interface LeafTypeRow {
  readonly open: readonly string[];
  /** The leaf belongs to an operation and must name it. */
  readonly ofOperation: boolean;
}

/** Types of leaves. */
export type LeafType =
  | 'log.start'
  | 'proposal'
  | 'decision'
  | 'approval.request'
  | 'approval.answer'
  | 'approval.end'
  | 'attempt'
  | 'outcome'
  | 'reconcile'
  | 'mandate.issue'
  | 'mandate.suspend'
  | 'mandate.resume'
  | 'person.change'
  | 'config.change'
  | 'policy.change'
  | 'key.rotate'
  | 'key.distrust'
  | 'redaction'
  | 'alarm';

/** Every type with its open fields. */
export const leafTypes: Readonly<Record<LeafType, LeafTypeRow>> = {
  'log.start': {
    open: ['origin', 'reason', 'old_origin', 'old_size', 'old_root', 'signed_size', 'signed_root'],
    ofOperation: false,
  },
  proposal: { open: ['action', 'channel', 'raw_bytes'], ofOperation: true },
  decision: {
    open: [
      'decision',
      'mode',
      'level',
      'stage',
      'codes',
      'rules',
      'op_hash',
      'contract_sha256',
      'policy_sha256',
      'schema_sha256',
      'cedar',
      'mandate',
      'mandate_sha256',
      'budgets',
      'facts',
      'joins',
      'repeats',
    ],
    ofOperation: true,
  },
  'approval.request': {
    open: ['request', 'op_hash', 'kind', 'level', 'quorum', 'expires'],
    ofOperation: true,
  },
  'approval.answer': {
    // `four_eyes` stands there only where one person stood for two.
    open: ['request', 'op_hash', 'verdict', 'assurance', 'channel', 'evidence_sha256', 'four_eyes'],
    ofOperation: true,
  },
  'approval.end': { open: ['request', 'end'], ofOperation: true },
  attempt: {
    open: ['attempt', 'connector', 'key', 'deadline', 'approvals', 'moves', 'op_hash'],
    ofOperation: true,
  },
  outcome: { open: ['class', 'attempt', 'late', 'moves'], ofOperation: true },
  reconcile: { open: ['method', 'finding', 'moves'], ofOperation: true },
  'mandate.issue': {
    open: ['mandate', 'mandate_sha256', 'parent', 'supersedes', 'expires'],
    ofOperation: false,
  },
  'mandate.suspend': { open: ['mandate', 'mandate_sha256'], ofOperation: false },
  'mandate.resume': { open: ['mandate', 'mandate_sha256'], ofOperation: false },
  'person.change': { open: ['kind', 'change', 'roles', 'credential'], ofOperation: false },
  'config.change': { open: ['kind', 'old', 'new'], ofOperation: false },
  'policy.change': {
    open: ['kind', 'old', 'new', 'schema_sha256', 'flips', 'server', 'tool'],
    ofOperation: false,
  },
  'key.rotate': { open: ['purpose', 'old_key', 'new_key'], ofOperation: false },
  'key.distrust': { open: ['purpose', 'key', 'after'], ofOperation: false },
  redaction: { open: ['basis', 'targets'], ofOperation: false },
  alarm: { open: ['kind', 'figures', 'server', 'tool'], ofOperation: false },
};

/** A leaf before the log gives it its place. */
export interface LeafDraft {
  readonly type: LeafType;
  /** 32 lower-case hex digits; absent on leaves that concern no operation. */
  readonly opId?: string;
  /** State of the operation before and after. */
  readonly prev?: string;
  readonly state?: string;
  /** Reason code. */
  readonly code?: string;
  /** Public fields; only names that `leafTypes` lists for the type. */
  readonly open: Readonly<Record<string, CanonicalValue>>;
  /** Fields of which only a salted commitment is public: values, amounts, persons, free text. */
  readonly committed: Readonly<Record<string, CanonicalValue>>;
}

/** The place and the surroundings of a leaf. */
export interface LeafStamp {
  /** Index in the log. */
  readonly seq: number;
  /** Milliseconds since 1970, never below the leaf before. */
  readonly ts: number;
  /** Version of the gateway. */
  readonly gw: string;
  /** Salted digest of the configuration. */
  readonly config: string;
}

/** A leaf as read. */
export interface Leaf extends Omit<LeafDraft, 'committed'>, LeafStamp {
  /** Committed field to its commitment in base64url. */
  readonly commit: Readonly<Record<string, string>>;
}

/** Why bytes are no leaf, or a draft can be none. */
export type LeafFaultCode =
  | 'LEAF_TOO_LARGE'
  | 'LEAF_NOT_CANONICAL'
  | 'LEAF_TYPE_UNKNOWN'
  | 'LEAF_FIELD_UNKNOWN'
  | 'LEAF_FIELD_INVALID';

export interface LeafFault {
  readonly code: LeafFaultCode;
  /** Name of the field. */
  readonly field?: string;
  readonly sizeBytes?: number;
}

/** Thrown for a draft that can be no leaf: the transaction that carries it must fail. */
export class LeafError extends Error {
  readonly code: LeafFaultCode;
  readonly fault: LeafFault;
  constructor(fault: LeafFault) {
    super(describe(fault));
    this.name = 'LeafError';
    this.code = fault.code;
    this.fault = fault;
  }
}

/** True for the id of an operation: 128 random bits as lower-case hex. */
export const isOpId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** True for the place and time of a leaf. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** What the commitment of a field covers beside its salt; name and value as canonical JSON. */
export function commitmentText(type: LeafType, fieldText: string, valueText: string): string {
  return `intentplane/field/v1\u0000["${type}",${fieldText},${valueText}]`;
}

function describe(fault: LeafFault): string {
  if (fault.code === 'LEAF_TOO_LARGE') {
    return `leaf of ${fault.sizeBytes} bytes: at most ${leafSizeMaxBytes} fit, keep long values out`;
  }
  return `leaf refused: ${fault.code}, field \`${(fault.field ?? 'type').slice(0, 100)}\``;
}
