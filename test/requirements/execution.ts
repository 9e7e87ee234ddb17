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
    id: 'EXE-50',
    source: 'execution 11',
    behaviour:
      'a connector that throws, names an unknown class, another key or no whole amount settles nothing and is an alarm',
  },
  {
    id: 'EXE-05',
    source: 'execution 2',
    behaviour:
      'a certain outcome that comes late settles its UNKNOWN attempt; any other is an alarm',
  },
  {
    id: 'EXE-51',
    source: 'execution 4',
    behaviour: 'UNKNOWN is never sent again to a target that honours no key',
  },
  {
    id: 'EXE-06',
    source: 'execution 4',
    behaviour:
      'another attempt has the same key and bytes, inside the life of the key, re-checked, at most three; a later failure says nothing about the first',
  },
  {
    id: 'EXE-07',
    source: 'execution 4',
    behaviour: 'a person settles an UNKNOWN with a reason, once; the receipt names how',
  },
  {
    id: 'EXE-52',
    source: 'execution 4',
    behaviour: 'absent before it is final stays UNKNOWN',
  },
  {
    id: 'EXE-08',
    source: 'execution 4',
    behaviour: 'UNKNOWN keeps its reservation over restarts',
  },
  {
    id: 'EXE-09',
    source: 'execution 4',
    behaviour:
      'look-ups follow their plan, one at a time for an operation across processes; a day of UNKNOWN is an alarm, once a day',
  },
  {
    id: 'EXE-11',
    source: 'execution 2',
    behaviour: 'a late success of an earlier attempt settles an UNKNOWN later one',
  },
  {
    id: 'EXE-12',
    source: 'execution 5',
    behaviour:
      'every connector passes one suite: crash after send, duplicate key, late answer, wrong amount, absent then present, unknown class',
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
    id: 'EXE-16',
    source: 'execution 6',
    behaviour:
      'values that may succeed once do so under concurrency; only a failure frees them, and no value is stored',
  },
  {
    id: 'EXE-17',
    source: 'execution 6',
    behaviour:
      'a key of a caller is one call for ever: missing, malformed, other call, in flight, replay, unknown',
  },
  {
    id: 'EXE-18',
    source: 'execution 7',
    behaviour: 'a reservation is conditional: 0 overshoot at 64 callers at once',
  },
  {
    id: 'EXE-19',
    source: 'execution 7',
    behaviour:
      'success settles what was really taken, certain failure releases; more than was reserved is spent, and freezes the budget with an alarm until a person lifts it',
  },
  {
    id: 'EXE-20',
    source: 'execution 7',
    behaviour:
      'windows: time and period of an entry are fixed when it is reserved, days are civil days of their zone, a rolling edge is exact to the millisecond, what is under way or unknown never ages out, a clock that steps back by more than a minute stops them',
  },
  {
    id: 'EXE-21',
    source: 'execution 7',
    behaviour:
      'an operation is charged to its mandate and to all above it or to none, six at most, without deadlock; an amendment below what was used keeps the sums and reserves nothing more',
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
      'an operation of a dead process is UNKNOWN at the next start or heartbeat of another one, and its owner cannot finish it; a silent host is waited for until the deadline',
  },
  {
    id: 'EXE-53',
    source: 'execution 10',
    behaviour:
      'a process that was suspended for longer than its lease sends nothing that was taken over',
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
    behaviour:
      'the tables of PostgreSQL change only by command, those of SQLite at a start, after a copy',
  },
  {
    id: 'EXE-40',
    source: 'execution 7',
    behaviour: 'an amount of another currency than that of the budget, or of none, is refused',
  },
  {
    id: 'EXE-34',
    source: 'execution 9',
    behaviour:
      'PostgreSQL sessions that end and a server that restarts: refusals, no overshoot, no gap, then it serves again',
  },
  {
    id: 'EXE-41',
    source: 'receipts 1',
    behaviour: 'a clock that was set by more than two seconds is an alarm with the figure',
  },
  {
    id: 'EXE-29',
    source: 'execution 10',
    behaviour:
      'after a killed process a start checks the file and what was written since the last signature, before it serves; what dead processes left is looked for first, and before it is sent again',
  },
];
