// Files that the configuration is made of: only whole texts that not everybody can write.
import { readFileSync, statSync } from 'node:fs';
import { err, ok, type Result } from '../core/result.ts';

/** Larger files are no configuration: 1 MiB. */
const sizeMaxBytes = 1024 * 1024;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text without a byte order mark, or what is wrong, said so that it can follow the file's name. */
export function readTextFile(path: string, platform: string): Result<string, string> {
  const bytes = readBytes(path, platform);
  if (!bytes.ok) return bytes;
  try {
    return ok(decoder.decode(bytes.value));
  } catch {
    return err('is no UTF-8 text: save it as UTF-8');
  }
}

function readBytes(path: string, platform: string): Result<Uint8Array, string> {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return err('is no file: name the file itself');
    if (platform !== 'win32' && (stats.mode & 0o002) !== 0) {
      return err('can be written by everybody: run `chmod o-w` on it');
    }
    if (stats.size > sizeMaxBytes) return err(`is larger than ${sizeMaxBytes} bytes: split it`);
    return ok(readFileSync(path));
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    return err(
      code === 'ENOENT'
        ? 'does not exist: create it, or correct the path'
        : `cannot be read (${code}): check its permissions`,
    );
  }
}
