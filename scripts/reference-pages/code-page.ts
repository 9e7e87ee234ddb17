// The page of reason codes and error codes.
import { type ReasonCode, reasonCodes, type Stage, stages } from '../../src/core/reason-codes.ts';
import { type DocumentedErrorCode, errorNotes } from './error-notes.ts';
import { generatedNote, tableRow } from './markdown.ts';
import { reasonNotes } from './reason-notes.ts';

const stageWords: Readonly<Record<Stage, string>> = {
  authn: 'The mandate of the session, and the rate of the caller.',
  contract: 'The arguments against the contract of the tool; the definition of the tool.',
  provenance: 'Every critical value against its trusted sources; entities in texts that leave.',
  delegation: 'The scope that the mandate must hold.',
  budget: 'Amount and number of calls, reserved and spent.',
  policy: 'The Cedar rules, level by level.',
  approval: 'The person who is asked.',
  execution: 'The one dispatch, its repeats and its outcome.',
  receipt: 'The record without which nothing happens.',
};

/** The whole page. */
export function codePage(): string {
  const codes = Object.keys(reasonCodes) as readonly ReasonCode[];
  return [
    '# Reason codes and error codes',
    '',
    generatedNote,
    '',
    'A refusal carries the codes of the first stage that failed, in the order of this page. Codes are stable:',
    'programs may compare them. The words beside them may change. Where an answer carries them is described in',
    '[answers.md](answers.md).',
    ...stages.flatMap((stage) => stagePart(stage, codes)),
    '',
    '## Errors of the parts',
    '',
    'These stop a start, or refuse a call as `RECEIPT_UNAVAILABLE` with the code in lower case as its detail.',
    'The command line ends with exit code 2 for `CONFIG_INVALID` and 3 for the others.',
    '',
    tableRow(['code', 'what is wrong', 'what to do']),
    tableRow(['---', '---', '---']),
    ...(Object.keys(errorNotes) as readonly DocumentedErrorCode[]).map(errorRow),
    '',
  ].join('\n');
}

function stagePart(stage: Stage, codes: readonly ReasonCode[]): readonly string[] {
  return [
    '',
    `## Stage ${stage}`,
    '',
    stageWords[stage],
    '',
    tableRow(['code', 'the agent reads', 'next steps', 'for the owner']),
    tableRow(['---', '---', '---', '---']),
    ...codes.filter((code) => reasonCodes[code].stage === stage).map(codeRow),
  ];
}

function codeRow(code: ReasonCode): string {
  const { sentence, next } = reasonCodes[code];
  const steps = next.map((step) => `\`${step}\``).join(' ');
  return tableRow([`\`${code}\``, sentence, steps, reasonNotes[code]]);
}

function errorRow(code: DocumentedErrorCode): string {
  const { meaning, remedy } = errorNotes[code];
  return tableRow([`\`${code}\``, meaning, remedy]);
}
