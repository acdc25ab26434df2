import { withClient } from '@paper/runtime';

/** The connection string of another database of the same server. */
export function connectionStringOf(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Makes the database of a backtest, which must not exist. */
export async function createDatabase(databaseUrl: string, database: string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, (client) =>
    client.query(`create database ${client.escapeIdentifier(database)}`),
  );
}

/** Drops the database of a backtest with whatever is connected to it, if there is one. */
export async function dropDatabase(databaseUrl: string, database: string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(database)} with (force)`),
  );
}
