// The only place that reads the environment of the process.
import { homedir } from 'node:os';
import type { Environment } from './config.ts';

export function readEnvironment(): Environment {
  return { variables: process.env, platform: process.platform, home: homedir() };
}
