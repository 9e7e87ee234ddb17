// All entities of all readings of a text, handed one by one to a listener.
import type { Found } from './text-entity.ts';
import { type Effort, type Reading, readAll } from './text-passes.ts';
import { scanText } from './text-scan.ts';
import { findLeftLinks } from './text-second-opinion.ts';
import type { Span } from './text-spans.ts';

/** Answers what to do next: `cut` hides an explained URL from the other readings. */
export type Listener = (
  found: Found,
  spelled: string,
  reading: Reading,
) => 'go on' | 'cut' | 'stop';

export interface SearchOptions {
  /** Digits of amounts that are no numbers of anything. */
  readonly amounts: ReadonlySet<string>;
  readonly effort: Effort;
  /** Sees the text and each text decoded from it whole. */
  readonly onText?: (text: string) => void;
}

/** Searches every reading; false when a limit or the listener stopped it. */
export function searchText(text: string, options: SearchOptions, listen: Listener): boolean {
  let isStopped = false;
  const onView = (view: string, reading: Reading): readonly Span[] => {
    const cuts: Found[] = [];
    for (const { found, spelled } of isStopped ? [] : entitiesOf(view, reading, options)) {
      const answer = listen(found, spelled, reading);
      if (answer === 'cut') cuts.push(found);
      isStopped = answer === 'stop';
      if (isStopped) break;
    }
    return cuts;
  };
  const { onText } = options;
  const isRead = readAll(text, options.effort, { onView, ...(onText !== undefined && { onText }) });
  return isRead && !isStopped;
}

interface Spelled {
  readonly found: Found;
  readonly spelled: string;
}

function entitiesOf(view: string, reading: Reading, options: SearchOptions): readonly Spelled[] {
  const own = scanText(view, options.amounts);
  const entities = own.map((found) => ({ found, spelled: view.slice(found.start, found.end) }));
  if (reading.isWeak || reading.isImitated) return entities;
  const left = findLeftLinks(view, own);
  if (left === undefined) options.effort.unitsLeft = -1;
  return left === undefined ? entities : [...entities, ...left];
}
