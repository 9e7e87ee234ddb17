// `intentplane receipts export`: bundles for an outsider, and the trust file to check them with.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBundle } from '../../receipts/create-bundle.ts';
import { readProofNodes } from '../../receipts/proof-nodes.ts';
import { formatTrustFile } from '../../receipts/trust-file.ts';
import { type LogAnchors, loadAnchors, namedWitnesses } from '../../server/log-anchors.ts';
import { LogSigner } from '../../server/log-signer.ts';
import { type OpenedStore, openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import {
  type ExportCheckpoint,
  type SignedForExport,
  signForExport,
} from '../../server/sign-for-export.ts';
import type { Store, StoredLeaf } from '../../stores/store.ts';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  optionalText,
  requiredText,
  UsageError,
} from '../command.ts';

const decoder = new TextDecoder();

export const receiptsExportCommand: Command = {
  name: 'receipts export',
  summary: 'write receipt bundles of one operation, or the trust file',
  usage: '--config FILE (--op ID [--out FOLDER] [--closed] | --trust [--out FILE])',
  example: 'intentplane receipts export --config ./intentplane.toml --op 0f3a… --out ./receipts',
  options: {
    config: { type: 'string' },
    op: { type: 'string' },
    out: { type: 'string' },
    closed: { type: 'boolean' },
    trust: { type: 'boolean' },
  },
  optionHelp: {
    config: 'the TOML file',
    op: 'the operation (an answer names its id)',
    out: 'folder for bundles, or the file of --trust; standard output without it',
    closed: 'disclose no value',
    trust: 'write the trust file: origin and key of the log',
  },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config, log } = prepare(requiredText(input, 'config'));
    const opened = await openStore(config);
    try {
      const signer = await LogSigner.open(config, opened.store, opened.started.origin);
      const anchors = await loadAnchors(config);
      if (input.values['trust'] === true) return exportTrust(input, signer, anchors);
      const signed = await signForExport({ anchors, signer, store: opened.store }, log);
      return await exportOperation(input, opened, signed);
    } finally {
      await opened.store.close();
    }
  },
};

function exportTrust(input: CommandInput, signer: LogSigner, anchors: LogAnchors): ExitCode {
  const [, ...more] = signer.keys;
  const text = formatTrustFile(signer.key, [], { log: more, witnesses: namedWitnesses(anchors) });
  const out = optionalText(input, 'out');
  if (out !== undefined) writeFileSync(out, text);
  input.output.answer({ ok: true, trust: text, ...(out === undefined ? {} : { file: out }) }, [
    out === undefined ? text.trimEnd() : `wrote ${out}`,
  ]);
  return 0;
}

async function exportOperation(
  input: CommandInput,
  { store }: OpenedStore,
  signed: SignedForExport,
): Promise<ExitCode> {
  const opId = optionalText(input, 'op');
  if (opId === undefined) throw new UsageError('--op ID or --trust is missing');
  const leaves = await store.readLeaves({ opId });
  if (leaves.length === 0) {
    input.output.answer({ ok: false, error: 'no receipts of this operation' }, [
      `there are no receipts of \`${opId}\``,
    ]);
    return 1;
  }
  const checkpoint = signed.covering(leaves.at(-1)?.seq ?? 0);
  const isClosed = input.values['closed'] === true;
  const bundles = await Promise.all(
    leaves.map((leaf) => bundleOf(leaf, { store, checkpoint, isClosed })),
  );
  const files = writeBundles(bundles, leaves, optionalText(input, 'out'));
  input.output.answer(
    {
      ok: true,
      op_id: opId,
      checkpoint: checkpoint.note,
      bundles: files ?? bundles.map((text) => JSON.parse(text) as unknown),
    },
    files === undefined ? bundles : files.map((file) => `wrote ${file}`),
  );
  return 0;
}

async function bundleOf(
  leaf: StoredLeaf,
  context: {
    readonly store: Store;
    readonly checkpoint: ExportCheckpoint;
    readonly isClosed: boolean;
  },
): Promise<string> {
  const { store, checkpoint, isClosed } = context;
  const { size, token } = checkpoint;
  const preimage = isClosed ? undefined : leaf.payload['preimage'];
  return createBundle({
    seq: leaf.seq,
    leaf: leaf.bytes,
    disclosed: isClosed ? {} : leaf.payload,
    redacted: isClosed ? [] : erasedFields(leaf),
    size,
    checkpoint: checkpoint.note,
    readNode: await readProofNodes({ index: leaf.seq, size }, (level, index) =>
      store.readNode(level, index),
    ),
    ...(token === undefined ? {} : { timestamps: [token] }),
    ...(preimage === undefined ? {} : { preimage: JSON.parse(preimage.value) as string }),
  });
}

/** Every value is kept at first: what is committed and not there was erased. */
function erasedFields({ bytes, payload }: StoredLeaf): readonly string[] {
  const { commit } = JSON.parse(decoder.decode(bytes)) as { commit: Record<string, string> };
  return Object.keys(commit).filter((field) => !Object.hasOwn(payload, field));
}

function writeBundles(
  bundles: readonly string[],
  leaves: readonly StoredLeaf[],
  folder: string | undefined,
): readonly string[] | undefined {
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  return bundles.map((text, index) => {
    const leaf = leaves[index];
    const file = join(folder, `${String(leaf?.seq).padStart(8, '0')}-${leaf?.type}.json`);
    writeFileSync(file, `${text}\n`);
    return file;
  });
}
