// Secrets that stand in files of their own instead of the configuration.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { err, ok, type Result } from '../core/result.ts';

const scheme = 'file:';

/** The text itself, or the content of the file that it names; an error says what to do and never what was read. */
export function readSecret(
  text: string,
  context: { readonly folder: string; readonly environment: { readonly platform: string } },
): Result<string, string> {
  if (!text.startsWith(scheme)) return ok(text);
  const path = resolve(context.folder, text.slice(scheme.length));
  const content = readOwnFile(path, context.environment.platform);
  if (!content.ok) return err(`the secret file \`${path}\` ${content.error}`);
  const secret = content.value.trim();
  return secret === '' ? err(`the secret file \`${path}\` is empty`) : ok(secret);
}

function readOwnFile(path: string, platform: string): Result<string, string> {
  try {
    if (platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      return err('can be read by others: run `chmod 600` on it');
    }
    return ok(readFileSync(path, 'utf8'));
  } catch {
    return err('cannot be read: create it, or write the value');
  }
}
