import type { Requirement } from './requirement.ts';

/** Ids start with `CFG-`. */
export const configRequirements: readonly Requirement[] = [
  {
    id: 'CFG-21',
    source: 'config, product conventions of the command line',
    behaviour:
      'a mistake in the file is exit code 2, named with place and fix on stderr, and nothing is started',
  },
  {
    id: 'CFG-22',
    source: 'config',
    behaviour: 'all problems of a file are reported together, each with key, line and fix',
  },
  {
    id: 'CFG-23',
    source: 'config 3',
    behaviour: 'configuration, policy and registry files that everybody can write are refused',
  },
  { id: 'CFG-24', source: 'config 3', behaviour: 'secrets never appear in an error' },
  {
    id: 'CFG-25',
    source: 'compat',
    behaviour: '--lenient turns unknown keys into warnings, never inside a contract',
  },
  {
    id: 'CFG-26',
    source: 'issue: bad input, approvals 10',
    behaviour: 'a taken port means another one, which every link names',
  },
];
