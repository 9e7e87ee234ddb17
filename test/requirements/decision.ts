import type { Requirement } from './requirement.ts';

/** Ids start with `DEC-`. */
export const decisionRequirements: readonly Requirement[] = [
  {
    id: 'DEC-01',
    source: 'decision 3',
    behaviour:
      'the stages run in their order, the first failing one decides and names all its failures',
  },
  {
    id: 'DEC-02',
    source: 'decision 3',
    behaviour: 'reason codes are stable and each has a stage, a sentence and a next step',
  },
  {
    id: 'DEC-03',
    source: 'decision 12',
    behaviour:
      'no proposal of a hostile agent has an effect that the ground truth does not authorise',
  },
  {
    id: 'DEC-04',
    source: 'decision 12',
    behaviour:
      'a tighter mandate, smaller budget, fewer records or stricter policy never allow more',
  },
  {
    id: 'DEC-05',
    source: 'decision 12',
    behaviour: 'a second, slow decision agrees on 100,000 fact sets',
  },
  {
    id: 'DEC-06',
    source: 'decision 5',
    behaviour: 'records of another owner are as unknown as records that do not exist',
  },
  {
    id: 'DEC-07',
    source: 'decision 12',
    behaviour: 'each reason code has a test and its nearest neighbour that passes',
  },
  {
    id: 'DEC-08',
    source: 'decision 4',
    behaviour: "what executes is the trusted record's own spelling, in the unit of the tool",
  },
  {
    id: 'DEC-09',
    source: 'decision 4',
    behaviour: 'a bound value comes from the selected record of the same registry, or nothing runs',
  },
  {
    id: 'DEC-10',
    source: 'decision 4',
    behaviour:
      'one tool may run several acts, chosen by literal argument values; any other call is unknown',
  },
  {
    id: 'DEC-11',
    source: 'decision 4',
    behaviour: 'nothing that the contract does not declare goes out unjudged',
  },
];
