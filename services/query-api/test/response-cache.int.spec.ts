import { endpoints } from '@paper/contracts';
import { marketView } from '@paper/exchange';
import { createMemoryJournal } from '@paper/journal';
import { connectReadModels, createReader, prepareReadModels, Progress, runProjector } from '@paper/read-models';
import type { ReadDb, Reader } from '@paper/read-models';
import { createApp, createOperators, startServer } from '@paper/http';
import type { Route, RunningServer } from '@paper/http';
import { ensureNameTables } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import { createRandom, createWorkload, testDatabase, StoredExchange } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { createQuerySide } from '../src/index.ts';
import { pagesOf } from '../src/journal/page-bytes.ts';

const SEED = 47;
const COMMANDS = 250;
const READS_AT_ONCE = 4;

/** A body with the sequence of its market's last event. */
interface Numbered {
  readonly seq: number;
}

/** Commands and reads in between, against the real read models: a cached answer is never out of date. */
describe('hot answers of the query side', function () {
  this.timeout(60_000);
  const journal = createMemoryJournal();
  const progress = new Progress();
  const stopping = new AbortController();
  const random = createRandom(SEED);
  const exchange = new StoredExchange(journal);
  const workload = createWorkload({ seed: SEED });
  /** By market: the journal's end, and the sequence of the market's last event then. */
  const history = new Map<string, { end: number; seq: number }[]>();
  const marketIds: string[] = [];
  let database: TestDatabase;
  let db: ReadDb;
  let reader: Reader;
  let projecting: Promise<void>;
  let routes: readonly Route[];
  let server: RunningServer;

  before(async () => {
    database = await testDatabase();
    db = connectReadModels({ connectionString: database.connectionString });
    await prepareReadModels(db);
    await ensureNameTables(database.connectionString);
    projecting = runProjector({ journal, db, onProgress: ({ seq }) => progress.set(seq) }, stopping.signal);
    const { connectionString } = database;
    const onIdleError = (): void => undefined;
    reader = createReader({
      connectionString,
      journal: Promise.resolve(journal),
      localProgress: progress,
      onIdleError,
    });
    const logger = createLogger({ name: 'test', level: 'silent' });
    const side = createQuerySide({
      ...reader,
      journal: Promise.resolve(journal),
      pages: pagesOf(Promise.resolve(journal)),
      cursorSecret: Promise.resolve(Buffer.alloc(32, 'cursors')),
      logger,
      version: 'test',
      complianceMode: 'paper',
      isHealthy: () => true,
      isEmailConfigured: () => Promise.resolve(false),
      now: Date.now,
    });
    routes = side.routes;
    const app = createApp({
      routes,
      operators: createOperators([]),
      logger,
      metrics: createMetrics(),
      rateLimiter: null,
      validateAnswers: true,
    });
    server = await startServer(app, { host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close(0);
    stopping.abort();
    await projecting;
    await reader.close();
    await db.destroy();
    await database.close();
  });

  /** Decides one more command of the workload, and appends its events. */
  const act = async (): Promise<void> => {
    const command = workload.next();
    const former = exchange.head;
    const { decision, stored } = exchange.take(command);
    workload.observe(command, decision);
    if (decision.kind !== 'accepted') return;
    for (const event of decision.events) if (event.type === 'MarketListed') marketIds.push(event.marketId);
    for (const id of marketIds) {
      const seen = history.get(id) ?? [];
      const seq = marketView(exchange.state, id)?.seq ?? 0;
      if (seen.at(-1)?.seq !== seq) history.set(id, [...seen, { end: exchange.head.seq, seq }]);
    }
    await journal.append(former, stored);
  };

  /** The market's sequence when the journal ended at `at`. */
  const seqAt = (id: string, at: number): number | undefined => history.get(id)?.findLast(({ end }) => end <= at)?.seq;

  const read = async (): Promise<void> => {
    const id = random.pick(marketIds);
    const book = random.chance(0.5);
    const wanted = book ? endpoints.getOrderBook.id : endpoints.getMarket.id;
    const handler = routes.find(({ endpoint }) => endpoint.id === wanted)?.handler;
    const known = progress.seq;
    if (seqAt(id, known) === undefined) return;
    const params = book ? { marketId: id } : { id };
    const answer = await handler?.(
      { kind: 'public' },
      { params, query: {}, body: null, idempotency: null },
      { signal: new AbortController().signal, address: 'address:test' },
    );
    expect(answer?.seq).to.be.at.least(known);
    const body = JSON.parse(String(answer?.preSerialized?.bytes)) as Numbered;
    expect(body.seq, `${wanted} ${id} at ${answer?.seq}`).to.equal(seqAt(id, answer?.seq ?? 0));
  };

  it('show everything that the projection was known to have when they were asked for', async () => {
    for (let n = 0; n < COMMANDS; n += 1) {
      await act();
      // Sometimes waits for the projection, so that answers are cached; mostly the projection runs beside the reads.
      if (random.chance(0.2)) await progress.reached(exchange.head.seq, 5_000);
      if (marketIds.length > 0) await Promise.all(Array.from({ length: READS_AT_ONCE }, read));
    }
    expect(marketIds).to.have.length.above(3);
  });

  it('have an ETag, and are 304 for a client that has them, at a later sequence too where they are unchanged', async () => {
    const get = async (id: string, tag: string) => {
      const answer = await fetch(`${server.url}/api/orderbook/${id}`, { headers: { 'if-none-match': tag } });
      await answer.arrayBuffer();
      expect(Number(answer.headers.get('x-journal-seq'))).to.equal(exchange.head.seq);
      return { status: answer.status, tag: answer.headers.get('etag') ?? '' };
    };
    await progress.reached(exchange.head.seq, 5_000);
    const before = await Promise.all(marketIds.map(async (id) => ({ id, ...(await get(id, '"none"')) })));
    const from = exchange.head.seq;
    while (exchange.head.seq === from) await act();
    await progress.reached(exchange.head.seq, 5_000);
    for (const { id, status, tag } of before) {
      expect(status).to.equal(200);
      const isSame = seqAt(id, from) === seqAt(id, exchange.head.seq);
      expect((await get(id, tag)).status).to.equal(isSame ? 304 : 200);
    }
    expect(before.some(({ id }) => seqAt(id, from) === seqAt(id, exchange.head.seq))).to.equal(true);
  });

  it('answer a market that is not there with 404, also when it is asked for again', async () => {
    for (const path of ['markets', 'orderbook']) {
      for (let n = 0; n < 2; n += 1) expect((await fetch(`${server.url}/api/${path}/nowhere`)).status).to.equal(404);
    }
  });
});
