// How both databases write what a budget counts.
import { type BudgetWindow, parseWindow } from '../core/checks/budget-window.ts';
import { StoreError } from './store.ts';

/** End of what has none: later than every instant. */
export const noEndMs: number = Number.MAX_SAFE_INTEGER;

export const readEnd = (endsMs: number): number | undefined =>
  endsMs === noEndMs ? undefined : endsMs;

/** Throws `STORE_FAILED` for what no program wrote. */
export function readWindow(text: string): BudgetWindow {
  const window = parseWindow(text);
  if (window !== undefined) return window;
  throw new StoreError('STORE_FAILED', `the store has a budget with the window \`${text}\``);
}
