import type { Requirement } from './requirement.ts';

/** Ids start with `RCP-`. */
export const receiptsRequirements: readonly Requirement[] = [
  {
    id: 'RCP-16',
    source: 'receipts 15',
    behaviour:
      'a log that was changed, cut or forked is detected before anything is appended or signed, and by whoever kept a checkpoint',
  },
  {
    id: 'RCP-14',
    source: 'receipts 7',
    behaviour: 'a start and a signature are refused behind the guard or on another root',
  },
  {
    id: 'RCP-21',
    source: 'receipts 10',
    behaviour: 'fsck finds each seeded corruption and names the first bad leaf',
  },
  {
    id: 'RCP-01',
    source: 'receipts 1',
    behaviour:
      'every judged proposal, decision, approval step, attempt and outcome has exactly one leaf, `seq` without gaps',
  },
  {
    id: 'RCP-02',
    source: 'receipts 6',
    behaviour: 'leaf and state change commit together or not at all',
  },
  { id: 'RCP-03', source: 'receipts 6', behaviour: 'no effect when the append fails' },
  { id: 'RCP-04', source: 'receipts 2', behaviour: 'no personal value in leaf bytes' },
  { id: 'RCP-05', source: 'receipts 2', behaviour: 'disclosing one field opens only that field' },
  {
    id: 'RCP-06',
    source: 'receipts 4',
    behaviour: 'the canonical encoder throws on everything outside the closed type',
  },
  {
    id: 'RCP-07',
    source: 'receipts 4',
    behaviour: 'leaf bytes that are not canonical are refused',
  },
  {
    id: 'RCP-08',
    source: 'receipts 13',
    behaviour: 'all inclusion and consistency proofs up to 300 leaves hold',
  },
  { id: 'RCP-09', source: 'receipts 13', behaviour: 'every flipped byte of a bundle is rejected' },
  {
    id: 'RCP-10',
    source: 'receipts 5',
    behaviour: 'signatures of unknown keys are ignored, a bad one of a known key rejects the note',
  },
  {
    id: 'RCP-11',
    source: 'receipts 6',
    behaviour:
      'appends from several SQLite processes stay gap-free and none starves for more than a second',
  },
  {
    id: 'RCP-13',
    source: 'receipts 7',
    behaviour: 'two inconsistent checkpoints are never signed, over crashes and restarts',
  },
  {
    id: 'RCP-15',
    source: 'receipts 7',
    behaviour:
      'a log that is refused goes on only under a new origin, with mandates suspended and budgets frozen',
  },
  {
    id: 'RCP-24',
    source: 'receipts 10',
    behaviour:
      'after a rotation the first trust file still holds, and a distrusted key counts no further',
  },
  {
    id: 'RCP-27',
    source: 'receipts 10',
    behaviour: 'exported tiles are readable by a C2SP client',
  },
  {
    id: 'RCP-17',
    source: 'receipts 9',
    behaviour: '`verify` makes no network call and needs no store',
  },
  { id: 'RCP-18', source: 'receipts 9', behaviour: '`verify --explain` states what is not proven' },
  {
    id: 'RCP-22',
    source: 'receipts 8',
    behaviour:
      'a witness answers with each status of its protocol, and cosigns one history however many submit at once',
  },
  {
    id: 'RCP-23',
    source: 'receipts 15',
    behaviour: 'a timestamp is checked before it is kept; none is asked for by default',
  },
  {
    id: 'RCP-29',
    source: 'receipts 5',
    behaviour: 'where ML-DSA-44 is missing, a start says so and a verifier says `ALG_UNAVAILABLE`',
  },
  {
    id: 'RCP-28',
    source: 'receipts 11',
    behaviour: 'a second verifier, in Python, agrees on at least 200 vectors',
  },
  {
    id: 'RCP-25',
    source: 'receipts 10',
    behaviour: 'a redaction keeps every proof valid and removes values and salts',
  },
  {
    id: 'RCP-26',
    source: 'receipts 10',
    behaviour: 'retention erases payloads only, and nothing younger than six months',
  },
];
