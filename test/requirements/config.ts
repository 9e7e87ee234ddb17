import type { Requirement } from './requirement.ts';

/** Ids start with `CFG-`. */
export const configRequirements: readonly Requirement[] = [
  {
    id: 'CFG-01',
    source: 'config',
    behaviour:
      'all problems of a file are reported together, each with file, line, key and fix; nothing starts',
  },
  {
    id: 'CFG-02',
    source: 'config; compat 2',
    behaviour:
      'an unknown key is an error that names the nearest known one; `--lenient` makes it a warning, except inside a parameter',
  },
  {
    id: 'CFG-03',
    source: 'issue 3',
    behaviour: 'a key or value whose behaviour does not exist yet is a load error that says so',
  },
  {
    id: 'CFG-04',
    source: 'config 1',
    behaviour: 'a budget or scale that is no whole number within its bounds is a load error',
  },
  {
    id: 'CFG-05',
    source: 'config',
    behaviour: 'references to the environment are filled in; a missing variable is a load error',
  },
  {
    id: 'CFG-06',
    source: 'config',
    behaviour: 'a file becomes one complete, frozen object with every default filled in',
  },
  {
    id: 'CFG-07',
    source: 'config 2',
    behaviour: 'two files never share a store by accident',
  },
  {
    id: 'CFG-08',
    source: 'config; approvals 4',
    behaviour:
      'secrets come from the text or from files that only their owner can read; a passcode is a scrypt string or a start error',
  },
  {
    id: 'CFG-09',
    source: 'decision 4',
    behaviour: 'a contract that could never work is refused at load time, with key and fix',
  },
  {
    id: 'CFG-10',
    source: 'decision 4; values 2',
    behaviour:
      'a missing, broken, doubled or badly written registry file is a load error that names file, line and record',
  },
  {
    id: 'CFG-11',
    source: 'decision 5',
    behaviour:
      'a registry file that is replaced, removed or broken while running is never served from memory',
  },
  {
    id: 'CFG-12',
    source: 'config',
    behaviour: 'the JSON Schema and the reference of the file are those of the schema that is used',
  },
  {
    id: 'CFG-13',
    source: 'config 1, 3',
    behaviour: 'the example files and the files of the 0.5.x packages load',
  },
  {
    id: 'CFG-14',
    source: 'config 3; issue 3',
    behaviour: 'the start says where a file protects less than it seems',
  },
  {
    id: 'CFG-21',
    source: 'config 2; execution 11',
    behaviour:
      'a mistake in `idempotency`, `reconcile` or `once` is a start error; money without a look-up a warning',
  },
  {
    id: 'CFG-22',
    source: 'config 2; approvals 3',
    behaviour:
      'people have ids, factors and addresses of their own; what two of them share is a load error that names both',
  },
  {
    id: 'CFG-23',
    source: 'config 2; approvals 4, 5, 7, 11',
    behaviour:
      'page address, factors, notices, quorum, channel and sign-in that could not work are load errors with key and fix',
  },
  {
    id: 'CFG-24',
    source: 'config 2; approvals 3',
    behaviour: 'the start says when nobody could answer what the file asks for',
  },
];
