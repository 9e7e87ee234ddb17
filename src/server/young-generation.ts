// Keeps the young generation of the heap small. Node lets it grow to 128 MiB, which a proxy that
// lives for days would hold for ever, and after its start V8 takes no new maximum: only the factor
// by which it grows can still be changed.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Both halves together: enough that calls under way are dead before they are moved to the old generation. */
const sizeMaxBytes = 8 * 1024 * 1024;

/** While modules and files are loaded it stays at its first 2 MiB: what loading leaves behind is kept anyway. */
export function holdYoungGeneration(): void {
  growBy(1);
}

/** From now on it may grow once, under load, to 8 MiB. */
export function releaseYoungGeneration(): void {
  growBy(4);
  const observer = new PerformanceObserver(() => {
    if (youngSizeBytes() < sizeMaxBytes) return;
    growBy(1);
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

export function youngSizeBytes(): number {
  return (
    getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0
  );
}

function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
