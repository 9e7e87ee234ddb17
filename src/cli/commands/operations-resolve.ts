// `intentplane operations resolve`: a person looked at the target and says what became of an operation.
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { isOwnerOrToldSo } from '../ask-passcode.ts';
import { type Command, type CommandInput, requiredText, UsageError } from '../command.ts';

const reasonMaxLength = 500;

export const operationsResolveCommand: Command = {
  name: 'operations resolve',
  summary: 'say what became of an operation whose outcome is unknown',
  usage: 'ID --as succeeded|failed --reason TEXT --config FILE',
  example:
    'intentplane operations resolve 4f0c… --as succeeded --reason "on the bank statement of 30 November" --config ./intentplane.toml',
  options: {
    as: { type: 'string' },
    reason: { type: 'string' },
    config: { type: 'string' },
  },
  optionHelp: {
    as: '`succeeded`: it happened, its budget is spent; `failed`: it certainly did not, its budget is free again',
    reason: 'where you saw it; stands in the receipt as a commitment',
    config: 'the TOML file; its passcode is asked for when one is set',
  },
  required: ['as', 'reason', 'config'],
  positionals: [1, 1],
  run: async (input) => {
    const wanted = findingOf(input);
    const { config } = prepare(requiredText(input, 'config'));
    const { store } = await openStore(config);
    try {
      if (!(await isOwnerOrToldSo(input, { config, store }))) return 1;
      const plan = await store.reconcile({
        ...wanted,
        method: 'person',
        person: config.mandate.principal,
        isTold: false,
      });
      const state = plan.state ?? null;
      if (!plan.isSettled) {
        const words = refusal(wanted.opId, state);
        input.output.answer({ ok: false, op_id: wanted.opId, state, error: words }, [words]);
        return 1;
      }
      input.output.answer({ ok: true, op_id: wanted.opId, state }, [
        `operation ${wanted.opId} is ${state}`,
      ]);
      return 0;
    } finally {
      await store.close();
    }
  },
};

function findingOf(input: CommandInput): {
  readonly opId: string;
  readonly finding: 'succeeded' | 'failed';
  readonly evidence: string;
} {
  const [opId = ''] = input.positionals;
  if (!/^[0-9a-f]{32}$/.test(opId)) {
    throw new UsageError(
      `\`${opId.slice(0, 80)}\` is no operation id: 32 hex digits, see \`intentplane operations list\``,
    );
  }
  const finding = requiredText(input, 'as');
  if (finding !== 'succeeded' && finding !== 'failed') {
    throw new UsageError('--as takes `succeeded` or `failed`');
  }
  const evidence = requiredText(input, 'reason').trim();
  if (evidence.length === 0 || evidence.length > reasonMaxLength || !evidence.isWellFormed()) {
    throw new UsageError(`--reason takes a text of 1 to ${reasonMaxLength} characters`);
  }
  return { opId, finding, evidence };
}

function refusal(opId: string, state: string | null): string {
  return state === null
    ? `there is no operation ${opId} in this store: see \`intentplane operations list\``
    : `operation ${opId} is ${state}: only one that is UNKNOWN can be resolved`;
}
