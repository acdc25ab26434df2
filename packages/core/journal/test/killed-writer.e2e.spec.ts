import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eventually, IS_LONG_RUN, scaledMs, testDatabase } from '@paper/testkit';
import { eventStoreAt, startEventStore } from '@paper/testkit/servers';
import { expect } from 'chai';
import pg from 'pg';
import { createEventStoreJournal, createPostgresJournal } from '../src/index.ts';
import type { Journal } from '../src/index.ts';
import { startFakeEventStore } from './fake-eventstore/server.ts';

/** A journal whose next append is handed over to the server and not answered. */
interface Store {
  /** The lines of a program that open `journal`. */
  readonly opening: string;
  open(): Promise<Journal>;
  /** From now on an append is not answered. */
  holdAppends(): Promise<void>;
  /** Drops what was handed over, as a server that never got it. */
  dropHeld(): Promise<void>;
  close(): Promise<void>;
}

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const ACKNOWLEDGED = 3;
/** Long enough for a follower to show what it was given, and short enough for a test. */
const APPEND_TIMEOUT_MS = scaledMs(500);

/** Follows each journal, appends a batch of two events to the journal whose name it reads, and writes all of it down. */
const program = (openings: ReadonlyMap<string, string>): string => `
  import { writeSync } from 'node:fs';
  import { createInterface } from 'node:readline';
  import { createEventStoreJournal, createPostgresJournal, EMPTY_HEAD } from '@paper/journal';
  import { batchAfter } from './packages/core/journal/test/contract.ts';
  const say = (...words) => writeSync(1, words.join(' ') + '\\n');
  const writers = {};
  const open = (name, journal) => {
    void (async () => {
      for await (const page of journal.follow(1, { signal: new AbortController().signal })) {
        for (const { hash, seq } of page) say(name, 'followed', seq, hash);
      }
    })();
    let head = EMPTY_HEAD;
    writers[name] = async () => {
      const batch = batchAfter(head, 2, head.seq + 1);
      say(name, 'handed-over', batch.head.seq, batch.head.hash);
      try {
        await journal.append(head, batch.events);
        say(name, 'acknowledged', batch.head.seq, batch.head.hash);
        head = batch.head;
      } catch (error) {
        say(name, error.name, batch.head.seq, batch.head.hash);
      }
    };
  };
  ${[...openings].map(([name, opening]) => `open('${name}', ${opening});`).join('\n')}
  for await (const name of createInterface({ input: process.stdin })) await writers[name]();
`;

class Writer {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;

  constructor(openings: ReadonlyMap<string, string>) {
    const options = ['--import', 'tsx', '--input-type=module', '--eval', program(openings)];
    this.#child = spawn(process.execPath, options, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => this.lines.push(line));
  }

  /** Hands the next batch over to the journal, and waits for its outcome. */
  async append(journal: string, outcome: string): Promise<void> {
    const from = this.lines.length;
    this.#child.stdin?.write(`${journal}\n`);
    let said: string | undefined;
    await eventually(`the append is ${outcome}`, () => {
      const { exitCode, signalCode } = this.#child;
      expect({ exitCode, signalCode }, 'how the writer ended').to.deep.equal({ exitCode: null, signalCode: null });
      said = this.lines
        .slice(from)
        .map((line) => line.split(' '))
        .find(([name, word = '']) => name === journal && !['followed', 'handed-over'].includes(word))?.[1];
      return said !== undefined;
    });
    expect(said).to.equal(outcome);
  }

  /** The sequence and the hash in each line about this happening in the journal. */
  of(journal: string, happening: string): string[] {
    const beginning = `${journal} ${happening} `;
    return this.lines.filter((line) => line.startsWith(beginning)).map((line) => line.slice(beginning.length));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

async function postgresStore(): Promise<Store> {
  const database = await testDatabase();
  const { connectionString } = database;
  const holder = new pg.Client({ connectionString });
  await holder.connect();
  const open = (): Promise<Journal> => createPostgresJournal({ connectionString });
  await (await open()).close();
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    opening: `await createPostgresJournal(${JSON.stringify({ connectionString, appendTimeoutMs: APPEND_TIMEOUT_MS })})`,
    open,
    holdAppends: async () => {
      await holder.query('begin');
      await holder.query('select from journal.head for update');
    },
    dropHeld: async () => {
      // A backend does not notice that its client is gone, and would append once it gets the lock.
      const { rowCount } = await holder.query(`select pg_terminate_backend(pid) ${waiting}`);
      expect(rowCount, 'the append waits in the server').to.equal(1);
      await eventually('the append is gone', async () => (await holder.query(`select ${waiting}`)).rowCount === 0);
      await holder.query('rollback');
    },
    close: async () => {
      await holder.end();
      await database.close();
    },
  };
}

async function fakeEventStore(): Promise<Store> {
  const server = await startFakeEventStore();
  return {
    ...eventStoreAtUrl(server.connectionString()),
    holdAppends: () => {
      server.faults.while('append', { kind: 'silence', stored: false });
      return Promise.resolve();
    },
    dropHeld: () => Promise.resolve(),
    close: () => server.close(),
  };
}

/** A stopped server has the append in its socket, and loses it when it is killed. */
async function realEventStore(): Promise<Store> {
  const server = await startEventStore();
  return {
    ...eventStoreAtUrl(server.connectionString),
    holdAppends: () => server.kill('SIGSTOP'),
    dropHeld: async () => {
      await server.kill('SIGKILL');
      await server.restart();
    },
    close: () => server.stop(),
  };
}

function eventStoreAtUrl(connectionString: string): Pick<Store, 'open' | 'opening'> {
  return {
    opening: `await createEventStoreJournal(${JSON.stringify({ connectionString, appendTimeoutMs: APPEND_TIMEOUT_MS })})`,
    open: () => createEventStoreJournal({ connectionString }),
  };
}

const STORES: readonly (readonly [name: string, start: () => Promise<Store>])[] = [
  ['postgres', postgresStore],
  ['fake-eventstoredb', fakeEventStore],
  ...(IS_LONG_RUN && eventStoreAt().toStart ? [['real-eventstoredb', realEventStore] as const] : []),
];

describe('a writer that is killed between hand-over and acknowledgement', function () {
  this.timeout(120_000);
  const stores = new Map<string, Store>();
  let writer: Writer;

  before(async () => {
    for (const [name, start] of STORES) stores.set(name, await start());
    writer = new Writer(new Map([...stores].map(([name, { opening }]) => [name, opening])));
    for (const [name, store] of stores) {
      for (let n = 0; n < ACKNOWLEDGED; n += 1) await writer.append(name, 'acknowledged');
      await eventually('the follower has them', () => writer.of(name, 'followed').length === 2 * ACKNOWLEDGED);
      await store.holdAppends();
      await writer.append(name, 'AppendUnknown');
      expect(writer.of(name, 'handed-over')).to.have.lengthOf(ACKNOWLEDGED + 1);
    }
    writer.kill();
    for (const store of stores.values()) await store.dropHeld();
  });

  after(async () => {
    writer.kill();
    for (const store of stores.values()) await store.close();
  });

  for (const [name] of STORES) {
    it(`has shown its followers no event that is not in the journal (${name})`, async () => {
      const journal = await stores.get(name)!.open();
      const stored = (await journal.read(1, 100)).map(({ hash, seq }) => `${seq} ${hash}`);
      await journal.close();
      expect(stored).to.have.lengthOf(2 * ACKNOWLEDGED);
      expect(writer.of(name, 'followed')).to.deep.equal(stored);
    });
  }
});
