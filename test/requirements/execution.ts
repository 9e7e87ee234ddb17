import type { Requirement } from './requirement.ts';

/** Ids start with `EXE-`. */
export const executionRequirements: readonly Requirement[] = [
  {
    id: 'EXE-01',
    source: 'execution 1',
    behaviour: 'an operation and its approval make only the moves of their states',
  },
  {
    id: 'EXE-02',
    source: 'execution 2',
    behaviour: 'what is sent is read back from the committed row',
  },
  {
    id: 'EXE-03',
    source: 'execution 2',
    behaviour: 'outcome, budget and leaf are one transaction',
  },
  {
    id: 'EXE-04',
    source: 'execution 3',
    behaviour:
      'each class of failure leads to the state that is written for it; reads have no effect to wait for',
  },
  {
    id: 'EXE-05',
    source: 'execution 2',
    behaviour:
      'a certain outcome that comes late settles its UNKNOWN attempt; any other is an alarm',
  },
  {
    id: 'EXE-07',
    source: 'execution 4',
    behaviour: 'a person settles an UNKNOWN with a reason, once; the receipt names how',
  },
  {
    id: 'EXE-08',
    source: 'execution 4',
    behaviour: 'UNKNOWN keeps its reservation over restarts',
  },
  {
    id: 'EXE-14',
    source: 'execution 6',
    behaviour: 'the same fingerprint in flight is refused',
  },
  {
    id: 'EXE-15',
    source: 'execution 6',
    behaviour: 'a repeat within the duplicate window asks and shows the earlier operation',
  },
  {
    id: 'EXE-18',
    source: 'execution 7',
    behaviour: 'a reservation is conditional: 0 overshoot at 64 callers at once',
  },
  {
    id: 'EXE-19',
    source: 'execution 7',
    behaviour: 'success settles, certain failure releases',
  },
  {
    id: 'EXE-21',
    source: 'execution 7',
    behaviour: 'an amendment below what was used keeps the sums and reserves nothing more',
  },
  {
    id: 'EXE-22',
    source: 'execution 7',
    behaviour: 'denied and failed operations cost nothing',
  },
  {
    id: 'EXE-23',
    source: 'execution 8',
    behaviour:
      'the settings of SQLite are verified; a network file system and a file open to others are refused',
  },
  {
    id: 'EXE-24',
    source: 'execution 8',
    behaviour: 'group commit isolates a failing operation',
  },
  {
    id: 'EXE-25',
    source: 'execution 8',
    behaviour: 'several SQLite processes: correct, fair, no wait for a lock blocks the main loop',
  },
  {
    id: 'EXE-26',
    source: 'execution 8',
    behaviour: 'an I/O error stops the store; nothing of the failed transaction is acknowledged',
  },
  {
    id: 'EXE-27',
    source: 'execution 9',
    behaviour:
      'a PostgreSQL server that may lose commits is refused; a commit whose answer is lost is looked up, and nothing is sent before',
  },
  {
    id: 'EXE-28',
    source: 'execution 10',
    behaviour:
      'an operation of a dead process is UNKNOWN at the next start, and its owner cannot finish it',
  },
  {
    id: 'EXE-30',
    source: 'execution 12',
    behaviour:
      'the deterministic simulator, with its reference gateway and linearizability check, runs 10,000 histories and notices planted faults',
  },
  {
    id: 'EXE-31',
    source: 'execution 11',
    behaviour: 'a full disk refuses every operation and keeps what was acknowledged',
  },
  {
    id: 'EXE-33',
    source: 'execution 9',
    behaviour: 'the tables of PostgreSQL change only by command',
  },
  {
    id: 'EXE-34',
    source: 'execution 9',
    behaviour:
      'PostgreSQL sessions that end and a server that restarts: refusals, no overshoot, no gap, then it serves again',
  },
];
