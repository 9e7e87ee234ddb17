// What durability rests on, asked of the server at each connection: it may have been restarted.
import { StoreError } from '../store.ts';
import type { Connection } from './connection.ts';
import { hasTables, newerStore, schemaVersion } from './migrate.ts';

const versionMin = 15;

/** Settings without which an acknowledged commit can be lost. */
const neededSettings = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

export interface ServerReport {
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Version of the tables; 0 when there are none. */
  readonly schema: number;
}

/** Throws `STORE_FAILED` for a server that may lose commits, with the setting and the fix. */
export async function checkServer(connection: Connection): Promise<ServerReport> {
  const { rows } = await connection.query({
    sql: `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
      current_setting('server_encoding'), current_setting('fsync'),
      current_setting('full_page_writes'), current_setting('synchronous_commit'),
      ${hasTables}`,
  });
  const [number, version, encoding, ...rest] = rows[0] as readonly (string | number | boolean)[];
  if (Number(number) < versionMin * 10_000) {
    throw unsafe(`PostgreSQL ${version} is too old: ${versionMin} or later is needed`);
  }
  if (encoding !== 'UTF8') {
    throw unsafe(`the database has the encoding ${encoding}: create it with ENCODING 'UTF8'`);
  }
  const settings = Object.fromEntries(neededSettings.map((name, i) => [name, String(rest[i])]));
  const off = neededSettings.find((name) => settings[name] === 'off');
  if (off !== undefined) {
    throw unsafe(
      `PostgreSQL runs with ${off} = off and may lose what it acknowledged: set ${off} = on`,
    );
  }
  const schema = rest[neededSettings.length] === true ? await readSchemaVersion(connection) : 0;
  return { version: String(version), settings, schema };
}

/** Throws unless the tables are those that this program knows. */
export function checkSchema({ schema }: ServerReport): void {
  if (schema > schemaVersion) throw newerStore(schema);
  if (schema === schemaVersion) return;
  const found = schema === 0 ? 'has no tables yet' : `has version ${schema} of ${schemaVersion}`;
  throw new StoreError(
    'STORE_OLDER',
    `the database ${found}: run: intentplane store migrate --config FILE`,
    { fatal: true },
  );
}

async function readSchemaVersion(connection: Connection): Promise<number> {
  const { rows } = await connection.query({
    sql: 'SELECT version FROM intentplane.schema_version',
  });
  return rows[0]?.[0] as number;
}

function unsafe(message: string): StoreError {
  return new StoreError('STORE_FAILED', message, { fatal: true });
}
