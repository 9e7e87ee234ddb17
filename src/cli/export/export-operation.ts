// Bundles or bare proofs of the receipts of one operation.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLeaf } from '../../core/parse-leaf.ts';
import { createBundle } from '../../receipts/create-bundle.ts';
import type { ConsistencyEvidence, KeyStatement } from '../../receipts/history-evidence.ts';
import { formatTlogProof } from '../../receipts/tlog-proof.ts';
import { originOfNote, readKeyStatements } from '../../server/key-statements.ts';
import { type LogSection, readSections, sectionOf } from '../../server/log-sections.ts';
import type { OpenedLog } from '../../server/open-log.ts';
import { readInclusion, readInclusionNodes } from '../../server/read-tree-nodes.ts';
import type { SignedCheckpoint, StoredLeaf } from '../../stores/store.ts';
import { type CommandInput, type ExitCode, optionalText } from '../command.ts';
import { consistencyWith } from './kept-checkpoint.ts';

/** A checkpoint, with the timestamp that was made of it. */
interface ExportCheckpoint extends SignedCheckpoint {
  readonly token?: Uint8Array;
}

/** What the receipts are proven with. */
interface Proving {
  readonly log: OpenedLog;
  readonly checkpoint: ExportCheckpoint;
  readonly consistency: ConsistencyEvidence | undefined;
  readonly keys: readonly KeyStatement[];
  readonly isClosed: boolean;
}

/** Exit 1 when there are none, or when one of them was never signed and cannot be now. */
export async function exportOperation(
  input: CommandInput,
  log: OpenedLog,
  opId: string,
): Promise<ExitCode> {
  const leaves = await log.store.readLeaves({ opId });
  const [first] = leaves;
  const last = leaves.at(-1);
  if (first === undefined || last === undefined) {
    return refuse(input, 'no receipts of this operation', `there are no receipts of \`${opId}\``);
  }
  const proving = await prove(input, log, last.seq);
  if (proving === undefined) {
    return refuse(
      input,
      'not signed',
      `the receipts of \`${opId}\` were not signed before the store was refused`,
    );
  }
  const isProof = input.values['proof'] === true;
  const texts = await Promise.all(
    leaves.map((leaf) => (isProof ? proofOf(leaf, proving) : bundleOf(leaf, proving))),
  );
  const ending = isProof ? 'tlog-proof' : 'json';
  const files = writeTexts(texts, { leaves, ending, folder: optionalText(input, 'out') });
  const shown = texts.map((text) => (isProof ? text : (JSON.parse(text) as unknown)));
  const checkpoint = proving.checkpoint.note;
  input.output.answer(
    { ok: true, op_id: opId, checkpoint, [isProof ? 'proofs' : 'bundles']: files ?? shown },
    files === undefined ? texts : files.map((file) => `wrote ${file}`),
  );
  return 0;
}

function refuse(input: CommandInput, error: string, line: string): ExitCode {
  input.output.answer({ ok: false, error }, [line]);
  return 1;
}

/** Undefined when no checkpoint covers the leaf. */
async function prove(
  input: CommandInput,
  log: OpenedLog,
  lastSeq: number,
): Promise<Proving | undefined> {
  const sections = await readSections(log.store);
  const section = sectionOf(sections, lastSeq);
  const checkpoint = await checkpointOver(log, lastSeq, section);
  if (checkpoint === undefined) return undefined;
  const origin = originOfNote(checkpoint.note);
  const signing = sections.find((each) => each.origin === origin);
  const kept = optionalText(input, 'previous');
  return {
    log,
    checkpoint,
    consistency: kept === undefined ? undefined : await consistencyWith(log, kept, checkpoint.size),
    keys: signing === undefined ? [] : await readKeyStatements(log.store, signing),
    isClosed: input.values['closed'] === true,
  };
}

/** One of the origin that the leaf was written under, where that was signed so far; else one that a witness cosigned or that has a timestamp, else the newest. */
async function checkpointOver(
  { store, checkpoint, cosigned, stamped }: OpenedLog,
  seq: number,
  section: LogSection | undefined,
): Promise<ExportCheckpoint | undefined> {
  if (section !== undefined && section.end <= checkpoint.size) {
    const own = (await store.readCheckpoints()).findLast(({ size }) => size <= section.end);
    if (own !== undefined && own.size > seq) return own;
  }
  if (cosigned !== undefined && cosigned.size > seq) {
    return stamped?.size === cosigned.size ? stamped : cosigned;
  }
  if (stamped !== undefined && stamped.size > seq) return stamped;
  return checkpoint.size > seq ? checkpoint : undefined;
}

async function proofOf({ seq }: StoredLeaf, { log, checkpoint }: Proving): Promise<string> {
  const path = await readInclusion(log.store, { index: seq, size: checkpoint.size });
  return formatTlogProof({ index: seq, path, checkpoint: checkpoint.note });
}

async function bundleOf(leaf: StoredLeaf, proving: Proving): Promise<string> {
  const { log, checkpoint, consistency, keys, isClosed } = proving;
  const { size, note, token } = checkpoint;
  const { seq } = leaf;
  const preimage = isClosed ? undefined : leaf.payload['preimage'];
  return createBundle({
    seq,
    leaf: leaf.bytes,
    disclosed: isClosed ? {} : leaf.payload,
    redacted: isClosed ? [] : erasedFields(leaf),
    size,
    checkpoint: note,
    readNode: await readInclusionNodes(log.store, { index: seq, size }),
    keys,
    ...(preimage === undefined ? {} : { preimage: JSON.parse(preimage.value) as string }),
    ...(consistency === undefined ? {} : { consistency }),
    ...(token === undefined ? {} : { timestamps: [token] }),
  });
}

/** Every value is kept at first: what is committed and not there was erased. */
function erasedFields({ bytes, payload }: StoredLeaf): readonly string[] {
  const leaf = parseLeaf(bytes);
  const committed = leaf.ok ? Object.keys(leaf.value.commit) : [];
  return committed.filter((field) => !Object.hasOwn(payload, field));
}

function writeTexts(
  texts: readonly string[],
  to: {
    readonly leaves: readonly StoredLeaf[];
    readonly ending: string;
    readonly folder: string | undefined;
  },
): readonly string[] | undefined {
  const { leaves, ending, folder } = to;
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  return texts.map((text, index) => {
    const leaf = leaves[index];
    const file = join(folder, `${String(leaf?.seq).padStart(8, '0')}-${leaf?.type}.${ending}`);
    writeFileSync(file, text);
    return file;
  });
}
