// `intentplane store backup`: one file with the whole store, made while gateways run.
import { resolve } from 'node:path';
import { backupStore } from '../../server/compose.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText, UsageError } from '../command.ts';

export const storeBackupCommand: Command = {
  name: 'store backup',
  summary: 'copy a SQLite store into one new file, also beside running gateways',
  usage: 'DEST --config FILE',
  example: 'intentplane store backup /backup/store-2026-11-30.db --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: {
    config: 'the TOML file; keep its keys, the guard and the redaction list apart from the copy',
  },
  required: ['config'],
  positionals: [1, 1],
  run: async (input) => {
    const [destination = ''] = input.positionals;
    const { config } = prepare(requiredText(input, 'config'));
    const path = resolve(destination);
    const report = await backupStore(config, path);
    if (report === undefined) throw new UsageError(otherStore(config.gateway.store));
    const { sizeBytes, size, root } = report;
    const rootText = Buffer.from(root).toString('base64');
    input.output.answer({ ok: true, file: path, bytes: sizeBytes, size, root: rootText }, [
      `wrote ${path}: ${sizeBytes} bytes, whole`,
      `its log: ${size} leaves, root ${rootText}`,
      'not in it: the log key, its guard and the redaction list. Keep them apart, and never put an old guard back',
    ]);
    return 0;
  },
};

function otherStore(store: string): string {
  return store === ':memory:'
    ? 'a store in memory has nothing to copy'
    : 'a PostgreSQL store is copied by the tools of the server: pg_dump of the schema intentplane, or a base backup with its WAL; keep the log key, the guard and the redaction list apart';
}
