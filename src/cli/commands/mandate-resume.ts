// `intentplane mandate resume`: the principal lifts a suspension at the terminal.
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { isOwnerOrToldSo } from '../ask-passcode.ts';
import { type Command, requiredText } from '../command.ts';

export const mandateResumeCommand: Command = {
  name: 'mandate resume',
  summary: 'lift the suspension of the session mandate (after three rejected requests)',
  usage: '--config FILE',
  example: 'intentplane mandate resume --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file; its passcode is asked for when one is set' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const { store, started } = await openStore(config);
    try {
      const mandate = await store.findMandate({
        principal: config.mandate.principal,
        agent: config.mandate.agent,
      });
      if (mandate?.status !== 'suspended') {
        input.output.answer(
          { ok: false, origin: started.origin, status: mandate?.status ?? null },
          ['the mandate is not suspended'],
        );
        return 1;
      }
      if (!(await isOwnerOrToldSo(input, { config, store }, 'wrong passcode'))) return 1;
      await store.resumeMandate(mandate.mandateId, config.mandate.principal);
      input.output.answer({ ok: true, mandate: mandate.mandateId }, [
        'the mandate is active again',
      ]);
      return 0;
    } finally {
      await store.close();
    }
  },
};
