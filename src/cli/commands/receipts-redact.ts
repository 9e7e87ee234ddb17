// `intentplane receipts redact`: the owner has values erased; the receipts stay provable.
import { type RedactionBasis, redactionBases } from '../../core/moves/plan-redaction.ts';
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type RedactionReport, redactOperation } from '../../server/redact-operation.ts';
import { isOwnerOrToldSo } from '../ask-passcode.ts';
import { type Command, type CommandInput, requiredText, UsageError } from '../command.ts';

export const receiptsRedactCommand: Command = {
  name: 'receipts redact',
  summary: 'erase the values behind the receipts of one operation; every proof stays valid',
  usage: '--op ID [--field NAME …] --basis CODE --config FILE',
  example: 'intentplane receipts redact --op 0f3a… --basis gdpr-17 --config ./intentplane.toml',
  options: {
    op: { type: 'string' },
    field: { type: 'string', multiple: true },
    basis: { type: 'string' },
    config: { type: 'string' },
  },
  optionHelp: {
    op: 'the operation or refused proposal (see `intentplane receipts show`)',
    field: 'only this committed field, may be given several times; everything without it',
    basis: `why, as it will stand in the log: ${redactionBases.join(', ')}`,
    config: 'the TOML file; its passcode is asked for when one is set',
  },
  required: ['op', 'basis', 'config'],
  positionals: [0, 0],
  run: async (input) => {
    const wish = { opId: opIdOf(input), fields: fieldsOf(input), basis: basisOf(input) };
    const { config } = prepare(requiredText(input, 'config'));
    const { store } = await openStore(config);
    try {
      if (!(await isOwnerOrToldSo(input, { config, store }))) return 1;
      const report = await redactOperation(store, wish);
      if (report.kind !== 'erased') {
        const words = refusal(wish.opId, report);
        input.output.answer({ ok: false, op_id: wish.opId, error: words }, [words]);
        return 1;
      }
      const { fields, repeats, kept, isGone } = report;
      input.output.answer(
        { ok: isGone, op_id: wish.opId, erased: fields, repeats, kept, wal_empty: isGone },
        words(report),
      );
      return isGone ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};

function opIdOf(input: CommandInput): string {
  const opId = requiredText(input, 'op');
  if (/^[0-9a-f]{32}$/.test(opId)) return opId;
  throw new UsageError(
    `\`${opId.slice(0, 80)}\` is no operation id: 32 hex digits, see \`intentplane receipts show\``,
  );
}

function fieldsOf({ values }: CommandInput): readonly string[] | undefined {
  const given = values['field'];
  return Array.isArray(given) ? (given as readonly string[]) : undefined;
}

function basisOf(input: CommandInput): RedactionBasis {
  const basis = requiredText(input, 'basis');
  const known = redactionBases.find((each) => each === basis);
  if (known !== undefined) return known;
  throw new UsageError(`--basis takes ${redactionBases.join(', ')}`);
}

function refusal(opId: string, report: Exclude<RedactionReport, { kind: 'erased' }>): string {
  if (report.kind === 'unknown') return `there are no receipts of \`${opId}\``;
  if (report.kind === 'no_field') {
    const known = report.known.join(', ');
    return `no receipt of ${opId} has a field \`${report.field.slice(0, 80)}\`: they have ${known}`;
  }
  const { state } = report;
  const fix = {
    ASKING: 'answer or cancel its request first',
    DISPATCHING: 'wait until it is finished',
    UNKNOWN: 'say what became of it first: `intentplane operations resolve`',
  }[state as 'ASKING' | 'DISPATCHING' | 'UNKNOWN'];
  return `operation ${report.opId} is ${state} and still needs its texts: ${fix}`;
}

function words({
  fields,
  repeats,
  kept,
  isGone,
}: Extract<RedactionReport, { kind: 'erased' }>): readonly string[] {
  return [
    `erased ${fields} values and their salts`,
    ...(repeats.length === 0
      ? []
      : [`also of ${repeats.length} proposals that joined or repeated it`]),
    ...(kept.length === 0 ? [] : [`still kept, and may hold the same values: ${kept.join(', ')}`]),
    ...(isGone
      ? []
      : [
          'another process keeps the write-ahead log in use, which still holds them: stop the gateways and run this again',
        ]),
  ];
}
