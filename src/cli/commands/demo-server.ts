// `intentplane demo-server`: a small bank-and-mail server to try things on.
import { type Command, optionalText } from '../command.ts';

export const demoServerCommand: Command = {
  name: 'demo-server',
  summary: 'a bank-and-mail MCP server over stdio, for demos and tests',
  usage: '[--effects FILE]',
  example: 'intentplane demo-server --effects ./effects.jsonl',
  options: { effects: { type: 'string' } },
  optionHelp: { effects: 'append each executed effect to this file as one JSON line' },
  required: [],
  positionals: [0, 0],
  run: async (input) => {
    const { runDemoServer } = await import('../demo/demo-server.ts');
    const effectsFile = optionalText(input, 'effects');
    await runDemoServer(effectsFile === undefined ? {} : { effectsFile });
    return 0;
  },
};
