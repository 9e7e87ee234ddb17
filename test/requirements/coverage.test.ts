import { describe, expect, it } from 'vitest';
import { readRepositoryFile, repositoryFiles } from '../source-files.ts';
import { readCitations } from './citations.ts';
import { requirementLists, requirementsById } from './manifest.ts';
import { verifies } from './verifies.ts';

interface Citation {
  readonly id: string;
  readonly path: string;
}

function readAllCitations(): { citations: Citation[]; unreadable: string[] } {
  const citations: Citation[] = [];
  const unreadable: string[] = [];
  for (const path of repositoryFiles().filter((each) => /^(?:src|test)\/.*\.ts$/.test(each))) {
    const isSuite = path.startsWith('src/testing/');
    if (!isSuite && !path.endsWith('.test.ts')) continue;
    const found = readCitations(readRepositoryFile(path), { namesCarryIds: isSuite });
    citations.push(...found.ids.map((id) => ({ id, path })));
    unreadable.push(...found.unreadableLines.map((line) => `${path}:${line}`));
  }
  return { citations, unreadable };
}

describe('requirements manifest', () => {
  const { citations, unreadable } = readAllCitations();
  const rows = requirementLists.flatMap((list) => list.rows);

  verifies('STY-01', 'has a test for each row', () => {
    const cited = new Set(citations.map(({ id }) => id));
    const untested = rows.filter((row) => !cited.has(row.id)).map((row) => row.id);
    expect(untested, 'add a test that says verifies(id, …), or remove the row').toEqual([]);
  });

  verifies('STY-01', 'has a row for each cited id', () => {
    const unknown = citations.filter(({ id }) => !requirementsById.has(id));
    expect(unknown, 'add the row to test/requirements, or fix the id').toEqual([]);
  });

  it('can read every cited id from the source text', () => {
    expect(unreadable, 'give verifies() its ids as literals').toEqual([]);
  });

  it('names each id once, in the form of its document', () => {
    expect(requirementsById.size).toBe(rows.length);
    for (const list of requirementLists) {
      const misnamed = list.rows.filter((row) => !list.idPattern.test(row.id));
      expect(misnamed, `ids of ${list.document} match ${list.idPattern}`).toEqual([]);
    }
  });

  it('says of each row where it comes from and what must hold', () => {
    const empty = rows.filter((row) => row.source.trim() === '' || row.behaviour.trim() === '');
    expect(empty).toEqual([]);
  });
});

describe('readCitations', () => {
  const read = (text: string): unknown => readCitations(text, { namesCarryIds: true });

  it('reads one id, a list of ids, and the ids at the start of a shared suite name', () => {
    const text = `verifies('AAA-01', 'x', () => { verifies(['AAA-02', 'B03'], 'y', z) })
      it('AAA-04 MCP-A1: keeps', z); it('Not an id: keeps', z)`;
    const ids = ['AAA-01', 'AAA-02', 'B03', 'AAA-04', 'MCP-A1'];
    expect(read(text)).toEqual({ ids, unreadableLines: [] });
  });

  it('does not read comments, and reports ids that are not literals', () => {
    const text = "// verifies('AAA-01', 'x', y)\nverifies(id, 'x', y)\nverifies([id], 'x', y)";
    expect(read(text)).toEqual({ ids: [], unreadableLines: [2, 3] });
  });
});
