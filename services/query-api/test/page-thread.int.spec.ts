import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPostgresJournal, openJournal } from '@paper/journal';
import { base, listMarket, OPERATOR, testDatabase, StoredExchange } from '@paper/testkit';
import { builtFolder } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { makePage } from '../src/journal/page-bytes.ts';
import type { PageThread } from '../src/journal/page-thread.ts';

const EVENTS = 1_200;
const BATCH = 300;
const NEVER = new AbortController().signal;

describe('the thread that makes pages of the journal', function () {
  this.timeout(120_000);
  let databaseUrl: string;
  let close: () => Promise<void>;
  let built: { readonly PageThread: typeof PageThread };
  const stopping: PageThread[] = [];
  const thread = (location: { readonly databaseUrl: string }): PageThread => {
    const made = new built.PageThread({ ...location, isDatabaseOurs: false });
    stopping.push(made);
    return made;
  };

  before(async () => {
    // As built: a thread that compiles its sources at the start takes five times as much.
    const module = path.join(await builtFolder(), 'services/query-api/src/journal/page-thread.js');
    built = (await import(pathToFileURL(module).href)) as typeof built;
    const database = await testDatabase();
    databaseUrl = database.connectionString;
    close = () => database.close();
    const journal = await createPostgresJournal({ connectionString: databaseUrl });
    const exchange = new StoredExchange(journal);
    // In batches: a transaction for each event would take most of this suite's time.
    for (let n = 0; n < EVENTS; n += BATCH) {
      const { head } = exchange;
      const lists = Array.from({ length: BATCH }, (_, index) =>
        listMarket(`m-${n + index}`, { ...base(OPERATOR, randomUUID()), at: n + index, description: 'ü'.repeat(200) }),
      );
      await journal.append(
        head,
        lists.flatMap((command) => exchange.take(command).stored),
      );
    }
    await journal.close();
  });
  after(async () => {
    await Promise.all(stopping.map((one) => one.stop()));
    await close();
  });

  it('makes the very bytes, and keeps the thread that answers requests free meanwhile', async () => {
    const journal = await openJournal({ databaseUrl });
    const pages = thread({ databaseUrl });
    for (const request of [
      { from: 1, limit: 1_000 },
      { from: 1_001, limit: 1_000 },
      { from: 5, limit: 1 },
      { from: EVENTS + 1, limit: 10 },
    ]) {
      const [made, here] = [await pages.page(request, NEVER), await makePage(journal, request, NEVER)];
      expect(Buffer.from(made.bytes).equals(Buffer.from(here.bytes))).to.equal(true);
      expect([made.etag, made.seq, made.next]).to.deep.equal([here.etag, here.seq, here.next]);
    }
    const whole = { from: 1, limit: 1_000 };
    // The least of several times: whatever else the machine does only adds to one.
    const ranMs = { there: Infinity, here: Infinity };
    for (let n = 0; n < 5; n += 1) {
      ranMs.there = Math.min(ranMs.there, await ranFor(() => pages.page(whole, NEVER)));
      ranMs.here = Math.min(ranMs.here, await ranFor(() => makePage(journal, whole, NEVER)));
    }
    await journal.close();
    if (process.platform === 'linux') expect(ranMs.there).to.be.lessThan(ranMs.here / 2);
  });

  it('gives way to the threads that answer requests', async function () {
    if (process.platform !== 'linux') this.skip();
    await thread({ databaseUrl }).page({ from: 1, limit: 1 }, NEVER);
    const own = getPriority();
    if (own >= constants.priority.PRIORITY_BELOW_NORMAL) this.skip();
    const ofThreads = readdirSync('/proc/self/task').map((id) => getPriority(Number(id)));
    expect(ofThreads).to.include(constants.priority.PRIORITY_BELOW_NORMAL);
  });

  it('gives up a page that no client waits for, and makes the next', async () => {
    const pages = thread({ databaseUrl });
    const gone = new AbortController();
    const left = pages.page({ from: 1, limit: 1_000 }, gone.signal).catch(String);
    gone.abort(new Error('gone'));
    expect(await left).to.equal('Error: gone');
    expect((await pages.page({ from: 1, limit: 3 }, NEVER)).next).to.equal(4);
  });

  it('reports why it has no journal, and tries again at the next page', async () => {
    const pages = thread({ databaseUrl: 'postgresql://nobody:wrong@127.0.0.1:1/none' });
    for (let n = 0; n < 2; n += 1) {
      expect(await pages.page({ from: 1, limit: 3 }, NEVER).catch(String)).to.match(/ECONNREFUSED/);
    }
    await pages.stop();
    expect(await pages.page({ from: 1, limit: 3 }, NEVER).catch(String)).to.match(/stopping/);
  });
});

/** Milliseconds that this thread ran until the work was done: not those in which others had the processor. 0 without /proc. */
async function ranFor(work: () => Promise<unknown>): Promise<number> {
  const beforeMs = ranMsSoFar();
  await work();
  return ranMsSoFar() - beforeMs;
}

function ranMsSoFar(): number {
  if (process.platform !== 'linux') return 0;
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
