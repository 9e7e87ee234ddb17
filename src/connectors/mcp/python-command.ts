// `python` in a configuration means the interpreter that this machine has.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `python` becomes the first of `python3`, `python` on the server's PATH; others stay. */
export function pythonCommand(command: string, env: Readonly<Record<string, string>>): string {
  if (command !== 'python' || process.platform === 'win32') return command;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.some((folder) => isExecutable(join(folder, 'python3')));
  return found ? 'python3' : command;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
