// Where the platform keeps the state of programs.
import { join } from 'node:path';
import type { Environment } from './config.ts';

export function stateFolder({ variables, platform, home }: Environment): string {
  if (platform === 'win32')
    return join(variables['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'intentplane');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'intentplane');
  return join(variables['XDG_STATE_HOME'] ?? join(home, '.local', 'state'), 'intentplane');
}
