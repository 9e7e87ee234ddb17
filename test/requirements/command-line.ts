import type { Requirement } from './requirement.ts';

/** Ids start with `CLI-`. */
export const commandLineRequirements: readonly Requirement[] = [
  {
    id: 'CLI-01',
    source: 'product conventions of the command line',
    behaviour: '`--help` on everything, with one example',
  },
  {
    id: 'CLI-02',
    source: 'product conventions of the command line',
    behaviour:
      'exit codes: 0 done, 1 refused or check failed, 2 usage or configuration, 3 environment',
  },
  {
    id: 'CLI-03',
    source: 'product conventions of the command line',
    behaviour: '`--json` prints one JSON object with `ok`, also for failures',
  },
  {
    id: 'CLI-04',
    source: 'product conventions of the command line',
    behaviour: 'nothing on stdout but the answer, and no colour',
  },
  {
    id: 'CLI-05',
    source: 'product conventions of the command line',
    behaviour: 'no stack trace without `--debug`',
  },
  {
    id: 'CLI-06',
    source: 'issue 3 bad input; approvals 10',
    behaviour: 'a taken port of the approval page means another one, which every link names',
  },
];
