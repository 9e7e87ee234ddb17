// A configuration file, loaded and checked with everything it names. Nothing is started.
import type { Config, ConfigProblem, Environment } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import { nameTools, type ToolNames } from '../proxy/tool-names.ts';
import { loadPolicy, loadRegistries } from './compose.ts';
import { type LoadedParts, loadParts } from './load-parts.ts';
import { createLog } from './log.ts';
import { unservedKeys } from './refuse-unserved.ts';

/** Thrown with every problem of the file; exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly ConfigProblem[];
  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(problemLine).join('\n'));
    this.problems = problems;
  }
}

export interface Prepared {
  readonly config: Config;
  readonly parts: LoadedParts;
  readonly names: ToolNames;
  readonly log: LogLine;
  readonly environment: Environment;
}

export interface PrepareOptions {
  /** Unknown keys are warnings. */
  readonly lenient?: boolean;
  /** Instead of the environment of this process. */
  readonly environment?: Environment;
}

/** All problems together: shape, policies, registries, names. */
export function prepare(path: string, options: PrepareOptions = {}): Prepared {
  const { environment = readEnvironment(), ...loading } = options;
  const loaded = loadConfig(path, { environment, ...loading });
  if (!loaded.ok) throw new ConfigError(loaded.error);
  const config = loaded.value;
  const unserved = unservedKeys(config);
  const log = createLog(config.gateway.log, Date.now);
  // What the first load finds is told once, by the caller; a file that changes later speaks for itself.
  let isLoading = true;
  const { problems, parts } = loadParts(
    config,
    { loadPolicy, loadRegistries },
    {
      nowMs: Date.now,
      log: (level, line) => {
        if (!isLoading) log(level, line);
      },
    },
  );
  isLoading = false;
  const names = nameTools(config.servers, config.tools);
  const clashes = names.errors.map((message) => clashProblem(config, message));
  const others = [...clashes, ...unserved];
  if (parts === undefined || others.length > 0) throw new ConfigError([...problems, ...others]);
  return { config, parts, names, log, environment };
}

/** The message begins with the tool that came second; its entry is the place to mend. */
function clashProblem(config: Config, message: string): ConfigProblem {
  const isNamed = ({ server, tool }: { readonly server: string; readonly tool: string }): boolean =>
    message.startsWith(`\`${server}.${tool}\``);
  const entry = config.contracts.findIndex(isNamed);
  const path = entry < 0 ? ['defaults', 'passthrough'] : ['tools', entry, 'tool'];
  return { ...config.placeOf(path), message };
}

/** `file:line: key: message`, as editors jump to it. */
function problemLine({ file, line, key, message }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return key === undefined || key === '' ? `${place}: ${message}` : `${place}: ${key}: ${message}`;
}
