// `intentplane verify`: an outsider's check of one receipt. No network, no store.
import { readFileSync } from 'node:fs';
import { checkLegacyChain } from '../../receipts/legacy-chain.ts';
import { loadTimestamps } from '../../receipts/load-timestamps.ts';
import { findNodeMlDsa44 } from '../../receipts/node-ml-dsa.ts';
import {
  notProven,
  type VerifyReport,
  type VerifySettings,
  verifyBundle,
} from '../../receipts/verify.ts';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  optionalText,
  requiredText,
  UsageError,
} from '../command.ts';
import { alignColumns } from '../output.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'check a receipt bundle offline, or a 0.5.x receipt file',
  usage: 'BUNDLE --trust FILE [--previous CHECKPOINT] [--explain] | --legacy FILE',
  example: 'intentplane verify receipt.json --trust trust.txt',
  options: {
    trust: { type: 'string' },
    previous: { type: 'string' },
    explain: { type: 'boolean' },
    legacy: { type: 'string' },
  },
  optionHelp: {
    trust: 'the trust file: whose log is believed (intentplane receipts export --trust)',
    previous: 'a checkpoint of the log that was kept: nothing may be missing or changed since',
    explain: 'say what a valid receipt does not prove',
    legacy: 'check the chain of a 0.5.x receipt file instead',
  },
  required: [],
  positionals: [0, 1],
  run: async (input) => {
    const legacy = optionalText(input, 'legacy');
    if (legacy !== undefined) return verifyLegacy(input, legacy);
    const [path] = input.positionals;
    if (path === undefined)
      throw new UsageError('name a bundle: intentplane verify BUNDLE --trust FILE');
    const trust = readInput(requiredText(input, 'trust'));
    const kept = optionalText(input, 'previous');
    const previous = kept === undefined ? {} : { previous: readInput(kept) };
    const mlDsa44 = findNodeMlDsa44() ?? null;
    const timestampVerifier = await findTimestampVerifier(trust);
    const settings = { trust, mlDsa44, ...previous, ...timestampVerifier };
    const report = await verifyBundle(readInput(path), settings);
    return print(input, report);
  },
};

/** Loaded for a trust file that asks for it alone: the packages are large. */
async function findTimestampVerifier(
  trust: string,
): Promise<Pick<VerifySettings, 'timestampVerifier'>> {
  const timestamps = trust.includes('timestamp_roots') ? await loadTimestamps() : undefined;
  return timestamps === undefined ? {} : { timestampVerifier: timestamps.checkTimestamp };
}

function readInput(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const isText = error instanceof TypeError;
    throw new UsageError(
      isText ? `\`${path}\` is not UTF-8 text` : `\`${path}\` cannot be read: check the path`,
    );
  }
}

function print({ output, values }: CommandInput, report: VerifyReport): ExitCode {
  const explained =
    values['explain'] === true
      ? ['', 'Not proven by this:', ...notProven.map((line) => `- ${line}`)]
      : [];
  if (report.verdict === 'bad_input') {
    output.answer({ ok: false, ...report }, [
      `bad ${report.input}: ${report.fault.code}`,
      ...explained,
    ]);
    return 2;
  }
  const rows = report.steps.map((step) => [String(step.step), step.status, step.code, step.detail]);
  const isValid = report.verdict === 'valid';
  output.answer({ ok: isValid, ...report }, [...alignColumns(rows), report.verdict, ...explained]);
  return isValid ? 0 : 1;
}

function verifyLegacy({ output }: CommandInput, path: string): ExitCode {
  const report = checkLegacyChain(readInput(path).split('\n'));
  const line = report.ok
    ? `valid: ${report.lines} lines in ${report.chains} chains (a chain cut at its end looks the same)`
    : `invalid at line ${report.line}: ${report.code}`;
  output.answer({ ...report }, [line]);
  return report.ok ? 0 : 1;
}
