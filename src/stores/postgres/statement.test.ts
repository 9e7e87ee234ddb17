import { describe, expect, it } from 'vitest';
import {
  administer,
  createDatabase,
  skipReason,
} from '../../../test/fixtures/postgres/database.ts';
import { enforced } from './statement.ts';

describe('enforced', () => {
  it('leaves a statement as it is that may write any number of rows, or fails by itself', () => {
    const free = { sql: 'DELETE FROM t', values: [1] };
    expect(enforced(free)).toEqual(free);
    const { sql } = enforced({ sql: 'INSERT INTO t VALUES (1)', expect: 1 });
    expect(sql).toBe('INSERT INTO t VALUES (1)');
  });

  it.skipIf(skipReason !== undefined)(
    'lets the server fail unless as many rows were changed as must be',
    async () => {
      const database = await createDatabase();
      const run = (sql: string, rows: number): Promise<readonly unknown[]> =>
        administer(database.url, enforced({ sql, expect: rows }).sql);
      await administer(database.url, 'CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2)');
      await run('UPDATE t SET a = a + 1', 2);
      await run('UPDATE t SET a = 9 WHERE a = 77', 0);
      await expect(run('UPDATE t SET a = 0', 3)).rejects.toMatchObject({ code: '22012' });
      await expect(run('UPDATE t SET a = 0 WHERE a = 77', 1)).rejects.toMatchObject({
        code: '22012',
      });
      await expect(run('INSERT INTO t SELECT a FROM t WHERE a = 77', 1)).rejects.toMatchObject({
        code: '22012',
      });
      expect(await administer(database.url, 'SELECT a FROM t ORDER BY a')).toEqual([
        { a: 2 },
        { a: 3 },
      ]);
      await database.drop();
    },
  );
});
