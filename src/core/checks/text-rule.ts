// The outbound-text rule: every entity of a text that leaves must be one that something trusted
// names. It never allows silently: what it cannot read within its limits counts as unknown.
import { matchesPattern } from './pattern.ts';
import { holdsConfidential } from './text-confidential.ts';
import {
  describeEntity,
  type Found,
  type TextEntity,
  type TextFinding,
  type TextTrust,
} from './text-entity.ts';
import { imitatedText } from './text-fold.ts';
import { type Effort, newEffort } from './text-passes.ts';
import { type Listener, type SearchOptions, searchText } from './text-search.ts';
import { createJudge, type Judge, type Verdict } from './text-trust.ts';

export type { TextEntity, TextFinding, TextTrust } from './text-entity.ts';

export interface TextOptions {
  /** RE2 patterns of the contract: one that matches a whole `possible` entity lifts it. */
  readonly allow?: readonly string[];
  /** Shared by several texts of one call. */
  readonly effort?: Effort;
}

const bytesMax = 64 * 1024;
const entitiesMax = 256;
const notAnalysed: TextEntity = { kind: 'not_analysed', certainty: 'certain', text: '' };
const confidentialFact: TextEntity = {
  kind: 'secret',
  certainty: 'certain',
  text: 'confidential fact',
};

/** Finds what a text names and nothing trusted explains. */
export function examineText(
  text: string,
  trust: TextTrust,
  options: TextOptions = {},
): TextFinding {
  const effort = options.effort ?? newEffort();
  const facts = trust.confidential ?? [];
  const amounts = new Set(trust.amounts.map((amount) => amount.replace(/\D/gu, '')));
  const unknown = new Map<string, TextEntity>();
  const isFit = fitsBytes(text);
  const onText = (each: string): void => {
    if (holdsConfidential(each, facts)) unknown.set('confidential', confidentialFact);
  };
  const judge = judgeOf(trust, effort);
  const listen = createListener({ unknown, judge, allow: options.allow ?? [] });
  const part = isFit ? text : text.slice(0, bytesMax);
  const search = { amounts, effort, ...(facts.length > 0 && { onText }) };
  if (!searchText(part, search, listen) || !isFit) unknown.set('', notAnalysed);
  const entities = [...unknown.values()];
  return { unknown: entities, secret: entities.some(({ kind }) => kind === 'secret') };
}

/** Whether the text has at most 64 KiB as UTF-8. */
function fitsBytes(text: string): boolean {
  if (text.length > bytesMax) return false;
  if (text.length * 3 <= bytesMax) return true;
  let bytes = text.length;
  for (const match of text.matchAll(/[^\0-\x7f]+/gu)) {
    for (const character of match[0]) bytes += utf8ExtraBytes(character);
  }
  return bytes <= bytesMax;
}

/** Bytes of a character beyond one for each UTF-16 unit. */
function utf8ExtraBytes(character: string): number {
  if (character.length === 2) return 2;
  return character < '\u0800' ? 1 : 2;
}

/** Nested parts of URLs and the contract's own templates are searched as texts are. */
function judgeOf(trust: TextTrust, effort: Effort): Judge {
  const amounts: ReadonlySet<string> = new Set();
  let templates: ReadonlySet<string> | undefined;
  return createJudge({
    trust,
    worstWithin: (text) => worstEntity(text, { amounts, effort }),
    isInTemplate: (kind, canonical) => {
      templates ??= entityKeys(trust.templates, { amounts, effort });
      return templates.has(`${kind} ${canonical}`);
    },
  });
}

function entityKeys(texts: readonly string[], options: SearchOptions): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const text of texts) {
    searchText(text, options, (found) => {
      if (found.canonical !== undefined) keys.add(`${found.kind} ${found.canonical}`);
      return 'go on';
    });
  }
  return keys;
}

/** The worst entity of a path and query; a file name there is none. */
function worstEntity(text: string, options: SearchOptions): Verdict {
  let worst: Verdict = 'trusted';
  const isRead = searchText(text, options, (found) => {
    if (found.certainty === 'certain') worst = 'certain';
    else if (found.kind !== 'domain' && worst === 'trusted') worst = 'possible';
    return worst === 'certain' ? 'stop' : 'go on';
  });
  return isRead ? worst : 'certain';
}

interface ListenerContext {
  readonly unknown: Map<string, TextEntity>;
  readonly judge: Judge;
  readonly allow: readonly string[];
}

/** Judges each entity once, however many readings show it. */
function createListener(context: ListenerContext): Listener {
  const verdicts = new Map<string, Verdict>();
  const spellings = new Set<string>();
  return (found, spelled, reading) => {
    const imitated = imitatedText(spelled).toLowerCase();
    // what the ASCII reading of a foreign name shows was judged under its real name
    if (reading.isImitated && spellings.has(imitated)) return 'go on';
    spellings.add(imitated);
    const key = `${found.kind} ${found.canonical ?? `as ${spelled}`}`;
    const certainty = reading.isWeak ? 'possible' : found.certainty;
    let verdict = verdicts.get(key);
    if (verdict === undefined || (verdict === 'possible' && certainty === 'certain')) {
      verdict = context.judge({ ...found, certainty }, spelled);
      verdicts.set(key, verdict);
      report(context, { found, spelled, key, verdict });
    }
    if (verdicts.size > entitiesMax) return 'stop';
    return verdict === 'trusted' && found.kind === 'url' ? 'cut' : 'go on';
  };
}

interface Judged {
  readonly found: Found;
  readonly spelled: string;
  readonly key: string;
  readonly verdict: Verdict;
}

function report(context: ListenerContext, judged: Judged): void {
  const { found, spelled, verdict } = judged;
  if (verdict === 'trusted') return;
  if (verdict === 'possible' && context.allow.some((each) => matchesPattern(each, spelled))) return;
  context.unknown.set(judged.key, describeEntity({ ...found, certainty: verdict }, spelled));
}
