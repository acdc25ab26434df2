import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { Restoration, SNAPSHOT_VERSION, type State } from '@paper/exchange';
import pg from 'pg';
import type { Memory } from '../writer/memory.ts';
import { addText, snapshotText } from './text.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** What is known of a stored snapshot without reading it. */
export interface StoredSnapshot {
  /** The journal's last event in it, and that event's hash. */
  readonly seq: number;
  readonly hash: string;
  /** The SNAPSHOT_VERSION that it was written in, and what wrote it. */
  readonly version: number;
  readonly build: string;
  /** SHA-256 (hex) of its text. */
  readonly stateHash: string;
  readonly pieces: number;
  /** Of the text, and as it is stored. */
  readonly bytes: number;
  readonly storedBytes: number;
}

export interface SnapshotStoreOptions {
  readonly connectionString: string;
  readonly shard: string;
  /** How long the server may take for one statement. Default 30,000. */
  readonly statementTimeoutMs?: number;
}

/** A snapshot and its pieces are written in one transaction, so that nobody ever sees half of one. */
const SCHEMA = `
  create schema if not exists snapshots;

  create table snapshots.snapshots (
    shard text not null,
    seq bigint not null,
    hash text not null,
    version integer not null,
    build text not null,
    state_hash text not null,
    pieces integer not null,
    bytes bigint not null,
    stored_bytes bigint not null,
    created_at timestamptz not null default now(),
    primary key (shard, seq)
  );

  create table snapshots.pieces (
    shard text not null,
    seq bigint not null,
    number integer not null,
    gzip bytea not null,
    primary key (shard, seq, number),
    foreign key (shard, seq) references snapshots.snapshots on delete cascade deferrable initially deferred
  );

  alter table snapshots.pieces alter column gzip set storage external;
`;

/** The lock of all that is done in the transaction that writes; the schema too is made by one at a time. */
const LOCK = `select pg_advisory_xact_lock(7203116)`;

interface Row {
  readonly seq: string;
  readonly hash: string;
  readonly version: number;
  readonly build: string;
  readonly state_hash: string;
  readonly pieces: number;
  readonly bytes: string;
  readonly stored_bytes: string;
}

/** The snapshots of one shard, in Postgres. Each use has a connection of its own: there is one in many minutes. */
export class SnapshotStore {
  constructor(private readonly options: SnapshotStoreOptions) {}

  /** All there are, the newest first. */
  list(): Promise<readonly StoredSnapshot[]> {
    return this.#connected(async (client) => {
      if (!(await isThere(client))) return [];
      const { rows } = await client.query<Row>(
        `select seq, hash, version, build, state_hash, pieces, bytes, stored_bytes
         from snapshots.snapshots where shard = $1 order by seq desc`,
        [this.options.shard],
      );
      return rows.map((row) => ({
        seq: Number(row.seq),
        hash: row.hash,
        version: row.version,
        build: row.build,
        stateHash: row.state_hash,
        pieces: row.pieces,
        bytes: Number(row.bytes),
        storedBytes: Number(row.stored_bytes),
      }));
    });
  }

  /**
   * The state that was stored.
   *
   * @throws where a piece is missing or damaged, where the text is not the one that was written, or not a snapshot.
   */
  read({ seq, pieces, stateHash }: StoredSnapshot): Promise<State> {
    return this.#connected(async (client) => {
      const piece = async (number: number): Promise<Buffer> => {
        // As bytea it would travel in hex digits, which are more of them and are read at half the speed.
        const { rows } = await client.query<{ base64: string }>(
          `select encode(gzip, 'base64') as base64 from snapshots.pieces where shard = $1 and seq = $2 and number = $3`,
          [this.options.shard, seq, number],
        );
        if (rows[0] === undefined) throw new Error(`piece ${number + 1} of ${pieces} is missing`);
        return decompress(Buffer.from(rows[0].base64, 'base64'));
      };
      const hash = createHash('sha256');
      const restoration = new Restoration();
      for await (const text of ahead(pieces, piece)) {
        hash.update(text);
        addText(restoration, text.toString());
      }
      const found = hash.digest('hex');
      if (found !== stateHash) throw new Error(`the hash of its text is ${found}, it should be ${stateHash}`);
      const state = restoration.end();
      if (state.seq !== seq) throw new Error(`its text is of sequence ${state.seq}`);
      return state;
    });
  }

  /**
   * Stores what stands between two decisions. Of the others only `base` is kept, the one that this memory began from:
   * it has been proven good, and is there when this one should be damaged. Null: none is.
   */
  write({ head, state }: Memory, build: string, base: number | null): Promise<StoredSnapshot> {
    const { shard } = this.options;
    return this.#connected(async (client) => {
      await client.query('begin');
      await client.query(LOCK);
      if (!(await isThere(client))) await client.query(SCHEMA);
      await client.query('delete from snapshots.snapshots where shard = $1 and seq is distinct from $2', [shard, base]);
      const hash = createHash('sha256');
      let [pieces, bytes, storedBytes] = [0, 0, 0];
      for (const text of snapshotText(state)) {
        hash.update(text);
        const stored = await compress(text, { level: constants.Z_BEST_SPEED });
        await client.query('insert into snapshots.pieces (shard, seq, number, gzip) values ($1, $2, $3, $4)', [
          shard,
          head.seq,
          pieces,
          stored,
        ]);
        pieces += 1;
        bytes += Buffer.byteLength(text);
        storedBytes += stored.length;
      }
      const stateHash = hash.digest('hex');
      await client.query(
        `insert into snapshots.snapshots (shard, seq, hash, version, build, state_hash, pieces, bytes, stored_bytes)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [shard, head.seq, head.hash, SNAPSHOT_VERSION, build, stateHash, pieces, bytes, storedBytes],
      );
      await client.query('commit');
      return { ...head, version: SNAPSHOT_VERSION, build, stateHash, pieces, bytes, storedBytes };
    });
  }

  async #connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const { connectionString, statementTimeoutMs = 30_000 } = this.options;
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      query_timeout: statementTimeoutMs,
    });
    // A connection that breaks fails the query that is under way; by itself it would end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      // What was not committed goes with the connection.
      await client.end();
    }
  }
}

async function isThere(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('snapshots.pieces') is not null as there`,
  );
  return rows[0]?.there === true;
}

/** The pieces in their order; while one is worked on, the next is fetched. */
async function* ahead(count: number, fetch: (number: number) => Promise<Buffer>): AsyncGenerator<Buffer> {
  const begin = (number: number): Promise<Buffer> => {
    const piece = fetch(number);
    // Its failure is met when it is awaited; when the reader fails before that, it is nobody's.
    piece.catch(() => undefined);
    return piece;
  };
  let coming = begin(0);
  for (let number = 0; number < count; number += 1) {
    const piece = await coming;
    if (number + 1 < count) coming = begin(number + 1);
    yield piece;
  }
}
