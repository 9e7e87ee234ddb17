// `intentplane receipts restart`: the way out when the store is not the one that was signed. A new
// origin goes on with what is there, and nothing works until a person has looked.
import { openStoreForReading } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import type { RestartReport } from '../../stores/store.ts';
import { isOwnerOrToldSo } from '../ask-passcode.ts';
import { type Command, requiredText } from '../command.ts';

export const receiptsRestartCommand: Command = {
  name: 'receipts restart',
  summary: 'begin the log anew under another name after a restored backup; stops everything',
  usage: '--config FILE --old-origin NAME --new-origin NAME',
  example:
    'intentplane receipts restart --config ./intentplane.toml --old-origin accounts --new-origin accounts-2',
  options: {
    config: { type: 'string' },
    'old-origin': { type: 'string' },
    'new-origin': { type: 'string' },
  },
  optionHelp: {
    config: 'the TOML file; its passcode is asked for when one is set',
    'old-origin': 'the name of the log as it is: it is never signed again',
    'new-origin': 'a name that was never used for a log',
  },
  required: ['config', 'old-origin', 'new-origin'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const store = await openStoreForReading(config);
    try {
      if (!(await isOwnerOrToldSo(input, { config, store }, 'wrong passcode'))) return 1;
      const oldOrigin = requiredText(input, 'old-origin');
      const report = await store.restart({ oldOrigin, origin: requiredText(input, 'new-origin') });
      input.output.answer(toJson(oldOrigin, report), linesOf(oldOrigin, report));
      return 0;
    } finally {
      await store.close();
    }
  },
};

function toJson(oldOrigin: string, report: RestartReport): Readonly<Record<string, unknown>> {
  return {
    ok: true,
    old_origin: oldOrigin,
    origin: report.origin,
    old_size: report.oldSize,
    signed_size: report.signedSize ?? null,
    suspended_mandates: report.suspendedMandates,
    voided_approvals: report.voidedApprovals,
  };
}

function linesOf(oldOrigin: string, report: RestartReport): readonly string[] {
  const { oldSize, signedSize, suspendedMandates, voidedApprovals } = report;
  const lost = signedSize === undefined ? 'unknown' : String(Math.max(0, signedSize - oldSize));
  return [
    `\`${oldOrigin}\` ended; \`${report.origin}\` goes on from its first ${oldSize} receipts`,
    `receipts that were signed and are not here: ${lost}`,
    `suspended ${suspendedMandates.length} mandates, froze all budgets, voided ${voidedApprovals.length} requests`,
    'look for what was spent, approved or suspended after this copy was made, then lift: intentplane mandate resume',
    'give auditors a new trust file: intentplane receipts export --trust',
  ];
}
