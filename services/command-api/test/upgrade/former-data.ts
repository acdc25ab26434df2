import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openJournal, EMPTY_HEAD } from '@paper/journal';
import type { Head, StoredEvent } from '@paper/journal';
import pg from 'pg';
import { SnapshotStore } from '@paper/command-side';

/** What the script that drove the former build recorded: raw keys of the accounts that it opened. */
interface About {
  readonly kind: 'about';
  readonly commit: string;
  readonly clients: Readonly<Record<'ann' | 'bob' | 'cy' | 'sub', { readonly apiKey: { readonly rawKey: string } }>>;
}

interface SnapshotRow {
  readonly seq: number;
  readonly hash: string;
  readonly version: number;
  readonly build: string;
  readonly state_hash: string;
  readonly pieces: number;
  readonly bytes: number;
}

type Line =
  | About
  | { readonly kind: 'event'; readonly stored: StoredEvent }
  | { readonly kind: 'snapshot'; readonly row: SnapshotRow }
  | { readonly kind: 'piece'; readonly row: { readonly seq: number; readonly number: number; readonly bytes: string } };

/**
 * A data folder that the build of commit 91297f9 left (rules 1, snapshots of version 3): its journal with orders, keys,
 * sub-accounts, markets and Idempotency-Keys, and a snapshot.
 */
export interface FormerData {
  readonly about: About;
  readonly events: readonly StoredEvent[];
  readonly snapshot: SnapshotRow;
  readonly pieces: readonly { readonly seq: number; readonly number: number; readonly bytes: string }[];
}

export function formerData(): FormerData {
  const text = gunzipSync(readFileSync(new URL('written-by-rules-1.ndjson.gz', import.meta.url))).toString();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const about = lines.find((line) => line.kind === 'about');
  const snapshot = lines.find((line) => line.kind === 'snapshot');
  if (about === undefined || snapshot === undefined) throw new Error('the data of the former build are not whole');
  return {
    about,
    events: lines.flatMap((line) => (line.kind === 'event' ? [line.stored] : [])),
    pieces: lines.flatMap((line) => (line.kind === 'piece' ? [line.row] : [])),
    snapshot: snapshot.row,
  };
}

/** Loads the former data into an empty database. */
export async function loadFormerData(connectionString: string, data: FormerData): Promise<void> {
  const journal = await openJournal({ databaseUrl: connectionString });
  await journal.append(EMPTY_HEAD satisfies Head, data.events);
  await journal.close();
  await new SnapshotStore({ connectionString, shard: 'main' }).prepare();
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { seq, hash, version, build, state_hash, pieces, bytes } = data.snapshot;
  await client.query(
    `insert into snapshots.snapshots (shard, seq, hash, version, build, state_hash, pieces, bytes)
     values ('main', $1, $2, $3, $4, $5, $6, $7)`,
    [seq, hash, version, build, state_hash, pieces, bytes],
  );
  for (const piece of data.pieces) {
    await client.query(`insert into snapshots.pieces (shard, seq, number, bytes) values ('main', $1, $2, $3)`, [
      piece.seq,
      piece.number,
      Buffer.from(piece.bytes, 'base64'),
    ]);
  }
  await client.end();
}
