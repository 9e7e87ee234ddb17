// The files that an auditor keeps: whose log is believed, and how far it had grown.
import { writeFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { type DistrustedKey, formatTrustFile } from '../../receipts/trust-file.ts';
import { loadAnchors, namedWitnesses } from '../../server/log-anchors.ts';
import { readLogKeys } from '../../server/log-keys.ts';
import { openField, readSections } from '../../server/log-sections.ts';
import { loadSecond } from '../../server/log-signer.ts';
import type { OpenedLog } from '../../server/open-log.ts';
import { type CommandInput, type ExitCode, optionalText } from '../command.ts';

/** Origin and key of the log, with the keys of it that are not believed any more. */
export async function exportTrust(
  input: CommandInput,
  config: Config,
  { store, origin }: OpenedLog,
): Promise<ExitCode> {
  const section = (await readSections(store)).findLast((each) => each.origin === origin);
  const distrust = (section?.keyLeaves ?? [])
    .filter(({ type }) => type === 'key.distrust')
    .map((leaf): DistrustedKey => {
      const after = Number(openField(leaf, 'after'));
      return { key: String(openField(leaf, 'key')), after };
    });
  const [{ key }] = readLogKeys(config, origin);
  const second = await loadSecond(config, origin);
  const witnesses = namedWitnesses(await loadAnchors(config));
  const others = { log: second === undefined ? [] : [second.key], witnesses };
  return writeText(input, 'trust', formatTrustFile(key, distrust, others));
}

/** The signed note as it stands. */
export function exportCheckpoint(input: CommandInput, { checkpoint }: OpenedLog): ExitCode {
  return writeText(input, 'checkpoint', checkpoint.note);
}

function writeText(input: CommandInput, name: string, text: string): ExitCode {
  const out = optionalText(input, 'out');
  if (out !== undefined) writeFileSync(out, text);
  input.output.answer({ ok: true, [name]: text, ...(out === undefined ? {} : { file: out }) }, [
    out === undefined ? text.trimEnd() : `wrote ${out}`,
  ]);
  return 0;
}
