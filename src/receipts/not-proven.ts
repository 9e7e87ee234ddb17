// What a valid receipt does not prove. Printed by `verify --explain`, and part of the docs.

/** One sentence per thing that a verified bundle leaves open. */
export const notProven: readonly string[] = [
  'that the mandate is still valid now',
  'that nobody holds another copy of the effect',
  'that the person who approved understood what was shown',
  'that the operation was legal',
  'that the effect happened in the other system',
  'that no action was taken outside the gateway',
  'that no second history exists, unless witnesses or an earlier checkpoint were checked',
];
