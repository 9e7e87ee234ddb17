// The path of a request: decoded once, or refused before anything is looked up by it.

/** Separators and escapes that say something else after a second decoding. */
const refusedEscapes = /%(?:2f|5c|00|25)/i;

/** The path without its query; undefined for every spelling that could mean two things. */
export function requestPath(target: string): string | undefined {
  if (!/^\/[\x21-\x7e]*$/.test(target)) return undefined;
  const raw = target.split(/[?#]/, 1)[0] ?? '';
  if (refusedEscapes.test(raw)) return undefined;
  const path = decodeOnce(raw);
  if (path === undefined || /[%\\\p{Cc}]/u.test(path)) return undefined;
  return path.split('/').some((step) => step === '..' || step === '.') ? undefined : path;
}

function decodeOnce(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
