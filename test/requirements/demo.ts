import type { Requirement } from './requirement.ts';

/** Ids start with `DEM-`. */
export const demoRequirements: readonly Requirement[] = [
  {
    id: 'DEM-01',
    source: 'packs 3, product first five minutes',
    behaviour:
      'the demo prints what was refused, asked, executed and stopped, as one JSON object with --json',
  },
  {
    id: 'DEM-02',
    source: 'product first five minutes',
    behaviour: 'the demo verifies its receipts offline and shows that one flipped byte is detected',
  },
  {
    id: 'DEM-03',
    source: 'product first five minutes',
    behaviour: 'the demo prints a table and says that it answered the form itself',
  },
  {
    id: 'DEM-04',
    source: 'packs 3',
    behaviour: 'the demo exits non-zero when an outcome is not the expected one',
  },
  {
    id: 'DEM-05',
    source: 'product conventions of the command line',
    behaviour: 'the demo leaves no file and no process behind',
  },
];
