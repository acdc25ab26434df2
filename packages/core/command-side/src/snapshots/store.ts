import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { SNAPSHOT_VERSION } from '@paper/exchange/snapshot';
import { copyOut } from '@paper/pg-bulk';
import { withClient } from '@paper/runtime';
import type pg from 'pg';
import type { FoldedState } from '../writer/fold.ts';
import { PiecesRestoration, snapshotPieces } from './pieces.ts';
import type { SnapshotContent } from './pieces.ts';

export interface StoredSnapshot {
  /** The last journal event that the snapshot contains, and the event's hash. */
  readonly seq: number;
  readonly hash: string;
  /** The SNAPSHOT_VERSION of the snapshot, and the build that wrote it. */
  readonly version: number;
  readonly build: string;
  readonly stateHash: string;
  readonly pieces: number;
  readonly bytes: number;
}

export interface SnapshotStoreOptions {
  readonly connectionString: string;
  readonly shard: string;
  /** The time limit for the server's answers, in ms. Default 30,000. */
  readonly silenceMs?: number;
}

/**
 * A snapshot and its pieces are written in one transaction, so that no reader sees half of one. Tables of a former
 * build with other columns are dropped, because this build cannot use their snapshots.
 */
const SCHEMA = `
  create schema if not exists snapshots;
  drop table if exists snapshots.pieces, snapshots.snapshots;

  create table snapshots.snapshots (
    shard text not null,
    seq bigint not null,
    hash text not null,
    version integer not null,
    build text not null,
    state_hash text not null,
    pieces integer not null,
    bytes bigint not null,
    created_at timestamptz not null default now(),
    primary key (shard, seq)
  );

  create table snapshots.pieces (
    shard text not null,
    seq bigint not null,
    number integer not null,
    bytes bytea not null,
    primary key (shard, seq, number),
    foreign key (shard, seq) references snapshots.snapshots on delete cascade deferrable initially deferred
  );

  -- Hashes and ids, for the most part: they would be compressed for nothing.
  alter table snapshots.pieces alter column bytes set storage external;
`;

/** The lock for writing transactions; the schema, too, is created by one process at a time. */
const LOCK = `select pg_advisory_xact_lock(7203116)`;

/** The snapshots of one shard, in Postgres. Each use opens a connection, since one is taken only every few minutes. */
export class SnapshotStore {
  constructor(private readonly options: SnapshotStoreOptions) {}

  prepare(): Promise<void> {
    return this.#connected(async (client) => {
      await client.query('begin');
      await prepareTables(client);
      await client.query('commit');
    });
  }

  list(): Promise<readonly StoredSnapshot[]> {
    return this.#connected(async (client) => {
      if (!(await isThere(client))) return [];
      // As float8 the driver gives bigints as numbers.
      const { rows } = await client.query<StoredSnapshot>(
        `select seq::float8, hash, version, build, state_hash as "stateHash", pieces, bytes::float8
         from snapshots.snapshots where shard = $1 order by snapshots.seq desc`,
        [this.options.shard],
      );
      return rows;
    });
  }

  /** Reads the stored state and usage. @throws when a piece is missing, damaged, or replaced by another. */
  read({ seq, pieces, stateHash }: StoredSnapshot): Promise<SnapshotContent> {
    const { shard } = this.options;
    return this.#connected(async (client) => {
      const hash = createHash('sha256');
      const restoration = new PiecesRestoration();
      let count = 0;
      for await (const { number, bytes } of copyPieces(client, shard, seq)) {
        if (number !== count) break;
        count += 1;
        hash.update(bytes);
        restoration.add(bytes);
      }
      if (count < pieces) throw new Error(`piece ${count + 1} of ${pieces} is missing`);
      const found = hash.digest('hex');
      if (found !== stateHash) throw new Error(`the hash of its pieces is ${found}, it should be ${stateHash}`);
      const content = restoration.end();
      if (content.state.seq !== seq) throw new Error(`its state is of sequence ${content.state.seq}`);
      return content;
    });
  }

  /**
   * Stores the state between two decisions, and the usage. Deletes the older snapshots except `base`, from which this
   * state was loaded: it has been proven good. Null: all older ones are deleted, because they are from before names
   * were forgotten.
   */
  write({ head, state, usage }: FoldedState, build: string, base: number | null): Promise<StoredSnapshot> {
    const { shard } = this.options;
    const kept = base === null || base < state.forgottenSeq ? null : base;
    return this.#connected(async (client) => {
      await client.query('begin');
      await prepareTables(client);
      await client.query('delete from snapshots.snapshots where shard = $1 and seq is distinct from $2', [shard, kept]);
      const hash = createHash('sha256');
      let [pieces, bytes] = [0, 0];
      for (const piece of snapshotPieces({ state, usage })) {
        hash.update(piece);
        await client.query('insert into snapshots.pieces (shard, seq, number, bytes) values ($1, $2, $3, $4)', [
          shard,
          head.seq,
          pieces,
          piece,
        ]);
        pieces += 1;
        bytes += piece.length;
      }
      const stateHash = hash.digest('hex');
      await client.query(
        `insert into snapshots.snapshots (shard, seq, hash, version, build, state_hash, pieces, bytes)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [shard, head.seq, head.hash, SNAPSHOT_VERSION, build, stateHash, pieces, bytes],
      );
      await client.query('commit');
      return { ...head, version: SNAPSHOT_VERSION, build, stateHash, pieces, bytes };
    });
  }

  /** Runs the work on a connection. Uncommitted work ends with the connection. */
  #connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const { connectionString, silenceMs = 30_000 } = this.options;
    return withClient({ connectionString, keepAlive: true, stream: () => socketWithin(silenceMs) }, work);
  }
}

/** Reads the pieces of a snapshot by number, from 0. After a reader stops early, the connection is unusable. */
async function* copyPieces(client: pg.Client, shard: string, seq: number) {
  const select = `select number, bytes from snapshots.pieces
    where shard = ${client.escapeLiteral(shard)} and seq = ${seq} order by number`;
  for await (const [number, bytes] of copyOut(client, select)) {
    if (number === undefined || bytes === undefined) throw new Error('a piece has a number and bytes');
    yield { number: number.readInt32BE(), bytes };
  }
}

/** A socket that closes itself after this long without an answer. */
function socketWithin(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () =>
    socket.destroy(new Error(`no answer from Postgres within ${silenceMs} ms`)),
  );
}

/** Creates missing tables. Call it in a transaction: its lock keeps other writers out until the transaction ends. */
async function prepareTables(client: pg.Client): Promise<void> {
  await client.query(LOCK);
  if (!(await isThere(client))) await client.query(SCHEMA);
}

async function isThere(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select exists (
       select from information_schema.columns
       where table_schema = 'snapshots' and table_name = 'pieces' and column_name = 'bytes'
     ) as there`,
  );
  return rows[0]?.there === true;
}
