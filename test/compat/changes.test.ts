// Files that one edit turns into something that 0.5.3 starts with, or refuses, other than we do.
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements/verifies.ts';
import { type RecordedChange, type RefusedFile, readChanges } from './case-files.ts';
import { CaseSession } from './case-runner.ts';

const changes = readChanges();
const checkedRows = new Set<string>();

async function expectChanges(row: string): Promise<void> {
  checkedRows.add(row);
  const ofRow = changes.filter((change) => change.row === row);
  expect(ofRow.length).toBeGreaterThan(0);
  for (const change of ofRow) await expectChange(change);
}

async function expectChange(change: RecordedChange): Promise<void> {
  const { args = [], ...expected } = change.expect;
  const session = new CaseSession({ base: change.base, edits: change.edits, extraArgs: args });
  try {
    const tools = await session.start();
    if ('exit' in expected) await expectRefusal(change, session, expected);
    else {
      expect(tools, `${change.about}: ${session.client.stderr}`).toBeDefined();
      expect(await session.call(change.call), change.about).toMatchObject(expected);
    }
  } finally {
    await session.end();
  }
}

async function expectRefusal(
  { about }: RecordedChange,
  session: CaseSession,
  { exit, mentions }: RefusedFile,
): Promise<void> {
  expect(await session.stop(), about).toBe(exit);
  for (const mention of mentions) expect(session.client.stderr, about).toContain(mention);
  expect(session.client.strayLines, about).toEqual([]);
  expect(session.received(), about).toEqual([]);
}

describe('a file that 0.5.3 took differently', () => {
  verifies('C07', 'an unknown key is refused with the nearest one', () => expectChanges('C07'));
  verifies('C08', 'a scale below one is refused', () => expectChanges('C08'));
  verifies('C27', 'one server that cannot start leaves the others', () => expectChanges('C27'));
  verifies('C34', 'two tools share an action when their contracts are equal', () =>
    expectChanges('C34'),
  );
  verifies('C46', 'a budget that is no number is refused', () => expectChanges('C46'));
  verifies('C47', 'a policy that cannot work is refused', () => expectChanges('C47'));
  verifies('C59', 'a record that its normaliser refuses is named at load', () =>
    expectChanges('C59'),
  );
  verifies('C67', 'two tools with one name are refused', () => expectChanges('C67'));
  verifies('C68', 'a source that does not exist is refused', () => expectChanges('C68'));
  verifies('C69', 'a name with other characters is refused', () => expectChanges('C69'));
  verifies('C70', 'a text cannot be the budget parameter', () => expectChanges('C70'));

  it('is checked here whatever its row', () => {
    const rows = new Set(changes.map((change) => change.row));
    expect([...checkedRows].sort()).toEqual([...rows].sort());
  });
});
