// The readings of one text: as written, folded, refanged, in words, decoded, as link targets, as
// imitated ASCII, with single characters joined and with wrapped lines joined. A reader looks for
// entities in each. Steps are counted, not timed, so that the answer depends on the text alone.
import { decodeText } from './text-decoding.ts';
import { foldText, imitatedText } from './text-fold.ts';
import { joinedSingles, unwrapped } from './text-joins.ts';
import { linkTargets, strippedMarkup } from './text-markup.ts';
import { loudRegions } from './text-regions.ts';
import { type Span, withoutSpans } from './text-spans.ts';
import { joinWords, refang } from './text-spelling.ts';

/** How a reading differs from the text. */
export interface Reading {
  /** Joined on a guess: what is found only here is `possible`. */
  readonly isWeak: boolean;
  /** Foreign letters were replaced by the ASCII letters they imitate. */
  readonly isImitated: boolean;
}

/** Who reads along. */
export interface Reader {
  /** Sees the text and each text decoded from it whole. */
  readonly onText?: (text: string) => void;
  /** Looks at one reading of a part; answers the spans that later readings need not see again. */
  readonly onView: (view: string, reading: Reading) => readonly Span[];
}

/** What may still be spent; shared by all texts of one call. */
export interface Effort {
  /** UTF-16 units that readers may still look at. */
  unitsLeft: number;
}

const depthMax = 3;
const growthMax = 4;
const growthLengthMin = 1024;
// four times the largest text: beyond that a text is made to be expensive
const unitsMax = 4 * 64 * 1024;
// finding the regions of a text is cheaper than reading them
const glancesPerLook = 8;

export const newEffort = (): Effort => ({ unitsLeft: unitsMax });

/** Shows every reading of every part; false when a limit left some of them unread. */
export function readAll(text: string, effort: Effort, reader: Reader): boolean {
  const run: Run = { effort, reader, seen: new Set() };
  let grownLeft = Math.max(text.length, growthLengthMin) * growthMax;
  let level = [text];
  for (let depth = 0; depth <= depthMax; depth += 1) {
    level = readLevel(level, run);
    for (const decoded of level) grownLeft -= decoded.length;
    if (effort.unitsLeft < 0 || grownLeft < 0) return false;
  }
  return newRegions(level, run.seen).length === 0;
}

interface Run {
  readonly effort: Effort;
  readonly reader: Reader;
  readonly seen: Set<string>;
}

/** Reads texts of one depth; answers what they decode to. */
function readLevel(texts: readonly string[], run: Run): string[] {
  for (const text of texts) {
    run.effort.unitsLeft -= text.length / glancesPerLook;
    run.reader.onText?.(text);
  }
  if (run.effort.unitsLeft < 0) return [];
  return newRegions(texts, run.seen).flatMap((region) => readRegion(region, run));
}

/** The regions of the texts that were not read before. */
function newRegions(texts: readonly string[], seen: Set<string>): string[] {
  return texts.flatMap(loudRegions).filter((region) => {
    const isNew = !seen.has(region);
    seen.add(region);
    return isNew;
  });
}

const asWritten: Reading = { isWeak: false, isImitated: false };
const guessed: Reading = { isWeak: true, isImitated: false };
const imitation: Reading = { isWeak: false, isImitated: true };

/** Shows the readings of one region; answers what it decodes to. */
function readRegion(text: string, { effort, reader }: Run): string[] {
  if (effort.unitsLeft < 0) return [];
  const lengthMax = Math.max(text.length, growthLengthMin) * growthMax;
  const look = (view: string, reading: Reading): string => {
    effort.unitsLeft -= view.length > lengthMax ? Number.POSITIVE_INFINITY : view.length;
    return effort.unitsLeft < 0 ? '' : withoutSpans(view, reader.onView(view, reading));
  };
  const lookIfNew = (view: string, old: string, reading: Reading): string =>
    view === old ? old : look(view, reading);

  const rest = look(text, asWritten);
  const folded = lookIfNew(foldText(rest), rest, asWritten);
  const targets = lookIfNew(linkTargets(folded), '', asWritten);
  const stripped = lookIfNew(strippedMarkup(folded), folded, asWritten);
  const fanged = lookIfNew(refang(stripped), stripped, asWritten);
  const words = joinWords(fanged);
  const strong = lookIfNew(words.strong, fanged, asWritten);
  lookIfNew(words.weak, words.strong, guessed);
  const imitated = lookIfNew(imitatedText(strong), strong, imitation);
  const singles = lookIfNew(joinedSingles(imitated), '', imitation);
  const wrapped = lookIfNew(unwrapped(imitated), imitated, imitation);

  const sources = [folded, targets, singles, wrapped === imitated ? '' : wrapped];
  return sources.map(decodeText).filter((decoded, i) => decoded !== sources[i]);
}
