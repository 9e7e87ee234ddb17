import type { Requirement } from './requirement.ts';

/** Ids start with `STY-`. */
export const styleRequirements: readonly Requirement[] = [
  {
    id: 'STY-01',
    source: 'style 2.6 requirements manifest',
    behaviour: 'every row of the manifest has a test, and every cited id has a row',
  },
  {
    id: 'STY-02',
    source: 'style 1 import table, 5.6',
    behaviour: 'each rule of the import table reports its planted breach, and nothing else',
  },
  {
    id: 'STY-03',
    source: 'style 2.7',
    behaviour: 'the tree keeps the conventions that a text scan can check',
  },
  {
    id: 'STY-04',
    source: 'style 2.6 package',
    behaviour: 'the packed tarball installs, its exports import, its bins run',
  },
  {
    id: 'STY-05',
    source: 'style 2.6 package, faces 3',
    behaviour: 'the verifier bundles for a browser without a Node module',
  },
  {
    id: 'STY-06',
    source: 'style 5.8',
    behaviour:
      'the closing line counts a failed check, a missing report and an empty run as failures',
  },
];
