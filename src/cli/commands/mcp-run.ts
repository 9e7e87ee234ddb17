// `intentplane mcp run` = `intentplane-mcp`: the proxy over stdio.
import { type Command, requiredText } from '../command.ts';

export const mcpRunCommand: Command = {
  name: 'mcp run',
  summary: 'serve the configured MCP servers over stdio, guarded',
  usage: '--config FILE [--lenient]',
  example: 'intentplane-mcp --config ./intentplane.toml',
  options: { config: { type: 'string' }, lenient: { type: 'boolean' } },
  optionHelp: {
    config: 'the TOML file',
    lenient: 'unknown keys of the file are warnings (never inside [tools.params])',
  },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const config = requiredText(input, 'config');
    const { holdYoungGeneration } = await import('../../server/young-generation.ts');
    holdYoungGeneration();
    const { protectStdout } = await import('../../server/protect-stdout.ts');
    const output = protectStdout();
    const { prepare } = await import('../../server/prepare.ts');
    const prepared = prepare(config, { lenient: input.values['lenient'] === true });
    const { startProxy } = await import('../../server/start-proxy.ts');
    const code = await startProxy(prepared, { input: process.stdin, output });
    // A client that stopped reading, or a signal, leaves our input open: it must not keep the process.
    process.stdin.destroy();
    return code;
  },
};
