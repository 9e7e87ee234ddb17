// `intentplane receipts witness`: a server that remembers what logs signed.
import { type Command, requiredText } from '../command.ts';

export const receiptsWitnessCommand: Command = {
  name: 'receipts witness',
  summary: 'cosign the checkpoints of other gateways, so that none can show two histories',
  usage: '--config FILE',
  example: 'intentplane receipts witness --config ./witness.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file of the witness: name, listen, data, pq, logs' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { untilStopped } = await import('../../server/shutdown.ts');
    const { startWitness } = await import('../../server/start-witness.ts');
    const stop = untilStopped();
    const { url, keys, close } = await startWitness(requiredText(input, 'config'));
    input.output.answer({ ok: true, url, keys }, [`listening on ${url}`, ...keys]);
    await stop.stopped;
    await close();
    return 0;
  },
};
