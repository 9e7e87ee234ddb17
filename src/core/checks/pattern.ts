// Patterns of a configuration: RE2 syntax, linear time, never the runtime's own engine.
import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS>();
/** Patterns come from the configuration alone; the bound only guards against misuse as a library. */
const compiledMax = 1_000;

/** True when the whole text matches. Throws for a text that is no pattern: `isPattern` is asked at load. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compile(pattern).matches(text);
}

/** True when some part of the text matches. */
export function findsPattern(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

/** Whether a text of the configuration is a pattern. */
export function isPattern(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = RE2JS.compile(pattern);
  if (compiled.size < compiledMax) compiled.set(pattern, fresh);
  return fresh;
}
