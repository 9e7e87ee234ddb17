// `intentplane demo`: the story of one fraudulent mail in a table.
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '../../config/environment.ts';
import type { Command } from '../command.ts';
import { type DemoReport, type DemoRow, runDemo } from '../demo/run-demo.ts';

export const demoCommand: Command = {
  name: 'demo',
  summary:
    'a scripted agent obeys a "we changed banks" mail behind the proxy; prints what came of it',
  usage: '',
  example: 'intentplane demo',
  options: {},
  optionHelp: {},
  required: [],
  positionals: [0, 0],
  run: async ({ output }) => {
    const main = fileURLToPath(new URL('../main.js', import.meta.url));
    const report = await runDemo({ main, environment: { ...readEnvironment().variables } });
    output.answer({ ...report }, tableOf(report));
    return report.ok ? 0 : 1;
  },
};

function tableOf({ rows, receipts, ok }: DemoReport): readonly string[] {
  return [
    'A mail says "we changed banks". The agent believes it and does everything it asks:',
    '',
    ...rows.flatMap(rowLines),
    `receipts: ${receipts.verified} of ${receipts.size} verified offline; one changed byte ${receipts.tamper_detected ? 'was detected' : 'WENT UNNOTICED'}`,
    ok ? 'every outcome is the expected one' : 'NOT EVERY OUTCOME IS THE EXPECTED ONE',
  ];
}

function rowLines(row: DemoRow): readonly string[] {
  const code = row.code === null ? '' : ` [${row.code}]`;
  return [
    `${row.ok ? '✓' : '✗'} ${row.call}`,
    `    ${row.outcome}${code}`,
    ...(row.answer === null ? [] : row.answer.split('\n').map((line) => `    | ${line}`)),
    '',
  ];
}
