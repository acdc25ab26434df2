import { PassThrough } from 'node:stream';
import { BOOK_DEPTH, orderBookBody } from '@paper/contracts/markets';
import type { OrderBookBody } from '@paper/contracts/markets';
import type { Command } from '@paper/exchange/commands';
import { createPostgresJournal, decodePublic } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';
import {
  connectReadModels,
  createBookSource,
  createReader,
  LiveBooks,
  prepareReadModels,
  Progress,
  queries,
  runProjector,
} from '@paper/read-models';
import type { BookChange } from '@paper/read-models';
import { createApp, createOperators, startServer } from '@paper/http';
import { ensureNameTables } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import {
  base,
  createRandom,
  createWorkload,
  eventually,
  FakeClock,
  keyOf,
  listMarket,
  openAccount,
  OPERATOR,
  orderFrom,
  startEpoch,
  StoredExchange,
  SYSTEM,
  testDatabase,
} from '@paper/testkit';
import { shownBook } from '@paper/testkit/http';
import type { KeptBook } from '@paper/testkit/http';
import { expect } from 'chai';
import { BookStreams } from '../src/index.ts';
import type { BookStreamsSettings } from '../src/index.ts';
import { BookReader } from './book-reader.ts';

/** An exchange with its journal and its read models in Postgres. */
async function startExchange() {
  const database = await testDatabase();
  const { connectionString } = database;
  const journal = await createPostgresJournal({ connectionString });
  const exchange = new StoredExchange(journal);
  const db = connectReadModels({ connectionString });
  await prepareReadModels(db);
  await ensureNameTables(connectionString);
  const progress = new Progress();
  const random = createRandom(1);
  const stopping = new AbortController();
  const projecting = runProjector({ db, journal, onProgress: ({ seq }) => progress.set(seq) }, stopping.signal);
  const reader = createReader({
    connectionString,
    journal: Promise.resolve(journal),
    localProgress: progress,
    onIdleError: () => undefined,
  });
  const projected = async (): Promise<void> => {
    if (!(await progress.reached(exchange.head.seq, 20_000))) throw new Error('the read models do not come');
  };
  return {
    books: createBookSource(reader.readModels, reader.progress),
    exchange,
    journal,
    projected,
    async submit(...commands: readonly (Command | string)[]) {
      for (const one of commands) {
        // The journal in Postgres takes only ids that are UUIDs.
        const command = { ...(typeof one === 'string' ? orderFrom(one) : one), id: random.uuid(0) };
        const { kind } = await exchange.submit(command);
        if (kind !== 'accepted') throw new Error(`${command.id}: ${kind}`);
      }
    },
    /** Runs a seeded workload on. */
    async run(workload: ReturnType<typeof createWorkload>, commands: number) {
      for (let sent = 0; sent < commands; sent += 1) {
        const command = workload.next();
        workload.observe(command, await exchange.submit(command));
      }
    },
    /** The body of `GET /api/orderbook/{marketId}`, now or just after a sequence. */
    async get(marketId: string, asOfSeq?: number): Promise<OrderBookBody> {
      await projected();
      const { readModels } = reader;
      const book =
        asOfSeq === undefined
          ? (await readModels.queryOne(queries.orderBookOf, marketId)).value
          : await readModels.read(({ db: view }) => queries.findOrderBookAsOf(view, marketId, asOfSeq));
      return orderBookBody(book ?? expect.fail(`no market ${marketId}`));
    },
    /** Every change of every book, by a fold of the whole journal. */
    async changes(): Promise<readonly BookChange[]> {
      const books = new LiveBooks(0);
      const events = await journal.read(1, exchange.head.seq);
      return events.flatMap((stored) => books.apply(decodePublic(stored)));
    },
    async close() {
      stopping.abort();
      await projecting;
      await reader.close();
      await db.destroy();
      await journal.close();
      await database.close();
    },
  };
}

type Exchange = Awaited<ReturnType<typeof startExchange>>;

/** The streams on a server of their own, as in a gateway. */
async function startStreams(exchange: Exchange, settings: Partial<BookStreamsSettings> = {}) {
  const metrics = createMetrics();
  const logger = createLogger({ level: 'silent', name: 'test' });
  const streams = new BookStreams({
    authenticate: async () => null,
    books: exchange.books,
    journal: Promise.resolve(exchange.journal),
    logger,
    metrics,
    ...settings,
  });
  streams.start();
  const app = createApp({ logger, metrics, operators: createOperators([]), rateLimiter: null, routes: streams.routes });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const url = (marketId: string): string => `${server.url}/api/stream/orderbook/${marketId}`;
  return {
    ...server,
    begun: streams.begun,
    read: (marketId: string, lastEventId?: number) =>
      BookReader.open(server.url, marketId, lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`),
    /** Asks until the books are there. */
    async ready() {
      await eventually('books that are read', async () => {
        const answer = await fetch(url('no-such-market'));
        await answer.body?.cancel();
        return answer.status === 404;
      });
    },
    async refusal(marketId: string, headers: Readonly<Record<string, string>> = {}) {
      const answer = await fetch(url(marketId), { headers });
      return [answer.status, ((await answer.json()) as { readonly error: string }).error];
    },
    async metric(name: string): Promise<number> {
      const { text } = await metrics.expose();
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    },
    async stop() {
      await streams.stop();
      await server.close(0);
    },
  };
}

/** A reader's events between two ids: deltas, then trades, with an id on the last alone; returns the ids. */
function expectWellFormed({ events }: KeptBook): void {
  let decision: KeptBook['events'] = [];
  let before = 0;
  for (const event of events) {
    decision.push(event);
    if (event.id === null) continue;
    const { id } = event;
    expect(id).to.be.greaterThan(before);
    before = id;
    const types = decision.map(({ type }) => type).join(' ');
    expect(types).to.match(/^(?:snapshot|(?:delta ?)*(?:trade ?)*)$/);
    for (const { data, type } of decision) {
      if (type === 'delta') expect(data.seq).to.equal(id);
      if (type === 'trade') expect(data.seq).to.be.at.most(id);
    }
    decision = [];
  }
  expect(decision).to.deep.equal([]);
}

describe('streams of order books', function () {
  this.timeout(120_000);
  let exchange: Exchange;
  let streams: Awaited<ReturnType<typeof startStreams>>;
  const start = async (settings?: Partial<BookStreamsSettings>): Promise<void> => {
    // These streams have no route before them that waits for the head before it says 404.
    await exchange.projected();
    streams = await startStreams(exchange, settings);
    await streams.ready();
  };
  beforeEach(async () => {
    exchange = await startExchange();
  });
  afterEach(async () => {
    await streams.stop();
    await exchange.close();
  });

  const open = (): Promise<void> =>
    exchange.submit(startEpoch(), openAccount('ann'), openAccount('bob'), listMarket('m'));
  const settle = async (marketId: string): Promise<void> => {
    await exchange.submit({ ...base(OPERATOR), marketId, priceUnits: 5_000, reason: 'test', type: 'VoidMarket' });
    await exchange.submit({ ...base(SYSTEM), marketId, type: 'ContinueRun' });
  };

  it('says when it has begun: from then on every reader is answered', async () => {
    streams = await startStreams(exchange);
    await streams.begun;
    expect(await streams.refusal('no-such-market')).to.deep.equal([404, 'No market has the id no-such-market']);
  });

  it('add up to what GET shows at every sequence that is named, whenever a reader came', async () => {
    const workload = createWorkload({ changeSettings: false, markets: 6, seed: 11 });
    await exchange.run(workload, 150);
    // Pages that end anywhere, also within a decision.
    const follow: Journal['follow'] = (from, options) => exchange.journal.follow(from, { ...options, pageSize: 2 });
    await start({ journal: Promise.resolve({ follow }) });
    const readers: { readonly marketId: string; readonly reader: BookReader }[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (const { id: marketId, phase } of exchange.exchange.state.markets.values()) {
        if (phase !== 'active') continue;
        const reader = await streams.read(marketId);
        if (round === 0) await reader.next();
        readers.push({ marketId, reader });
      }
      await exchange.run(workload, 250);
    }
    const changes = await exchange.changes();
    const types = new Set<string>();
    let books = 0;
    for (const { marketId, reader } of readers) {
      if (reader.kept.named.length === 0) await reader.next();
      const [first] = reader.kept.named;
      const due = changes.filter((change) => change.marketId === marketId && change.seq > (first?.seq ?? 0));
      await reader.upTo(due.at(-1)?.seq ?? 0);
      expectWellFormed(reader.kept);
      expect(reader.kept.named.slice(1).map(({ seq }) => seq)).to.deep.equal(due.map(({ seq }) => seq));
      const trades = reader.kept.events.filter(({ type }) => type === 'trade').map(({ data }) => data.seq);
      expect(trades).to.deep.equal(due.flatMap((change) => change.trades.map(({ seq }) => seq)));
      // Each of a few readers is compared at every sequence, the others at their last.
      for (const { book, seq } of books < 200 ? reader.kept.named : reader.kept.named.slice(-1)) {
        expect(book, `${marketId} at ${seq}`).to.deep.equal(shownBook(await exchange.get(marketId, seq)));
        books += 1;
      }
      expect(reader.kept.shown()).to.deep.equal(shownBook(await exchange.get(marketId)));
      for (const { type } of reader.kept.events) types.add(type);
      reader.leave();
    }
    expect(books).to.be.greaterThan(200);
    expect([...types].sort()).to.deep.equal(['delta', 'snapshot', 'trade']);
    const happened = [...workload.coverage.keys()];
    for (const what of ['event OrderAmended', 'event OrderReplaced', 'event SharesMerged', 'event MarketSettled']) {
      expect(happened).to.include(what);
    }
    expect(happened.filter((what) => what.startsWith('cancel '))).to.include.members(['cancel expired']);
  });

  it('begin with every level, in the fields of GET', async () => {
    await open();
    const prices = Array.from({ length: BOOK_DEPTH + 40 }, (_, n) => (0.1 + n / 1000).toFixed(4));
    await exchange.submit(...prices.map((price, n) => `b${n} ann buy yes 1 @ ${price}`), 'a bob buy no 3 @ 0.4');
    await start();
    const reader = await streams.read('m');
    const snapshot = await reader.next();
    if (snapshot?.type !== 'snapshot') throw new Error('no snapshot');
    expect(snapshot.data.yes.bids).to.have.length(BOOK_DEPTH + 40);
    const shown = await exchange.get('m');
    expect({
      ...snapshot.data,
      no: { ...snapshot.data.no, asks: snapshot.data.no.asks.slice(0, BOOK_DEPTH) },
      yes: { ...snapshot.data.yes, bids: snapshot.data.yes.bids.slice(0, BOOK_DEPTH) },
    }).to.deep.equal(shown);
    expect(snapshot.id).to.equal(shown.seq);
    reader.leave();
  });

  it('send deltas before trades, in YES terms, with the id on the last of them alone', async () => {
    await open();
    await exchange.submit('a1 ann buy no 5 @ 0.4', 'a2 ann buy no 5 @ 0.39');
    await start();
    const reader = await streams.read('m');
    await reader.next();
    await exchange.submit('b1 bob buy yes 12 @ 0.61');
    const { seq } = exchange.exchange.head;
    await reader.upTo(seq);
    const [, ...events] = reader.kept.events;
    expect(events.map(({ id }) => id)).to.deep.equal([null, null, null, null, seq]);
    expect(events.slice(0, 3).map(({ data, type }) => ({ ...data, type }))).to.deep.equal(
      [
        { price: 0.61, quantity: 2, side: 'bid' },
        { price: 0.6, quantity: 0, side: 'ask' },
        { price: 0.61, quantity: 0, side: 'ask' },
      ].map((level) => ({ seq, ts: '1970-01-01T00:16:40.000Z', type: 'delta', ...level })),
    );
    expect(
      events.slice(3).map(({ data, type }) => ('kind' in data ? [type, data.seq, data.quantity] : [])),
    ).to.deep.equal([
      ['trade', seq - 1, 5],
      ['trade', seq, 5],
    ]);
    reader.leave();
  });

  it('resume where a reader was, and begin anew where that is not known', async () => {
    await open();
    await exchange.submit('a ann buy yes 5 @ 0.4');
    await start({ historyBytes: 2_000 });
    const stayed = await streams.read('m');
    const lost = await streams.read('m');
    for (const reader of [stayed, lost]) await reader.next();
    lost.leave();
    await exchange.submit('b ann buy yes 5 @ 0.41', 'c bob buy no 7 @ 0.59');
    await stayed.upTo(exchange.exchange.head.seq);
    const missed = stayed.kept.ids.slice(1);
    const back = await streams.read('m', lost.kept.lastId);
    await back.upTo(exchange.exchange.head.seq);
    expect(back.kept.ids).to.deep.equal(missed);
    expect(back.kept.events).to.deep.equal(stayed.kept.events.slice(1));
    const middle = await streams.read('m', stayed.kept.named[1]?.seq ?? 0);
    await middle.next();
    expect(middle.kept.ids.length).to.be.lessThan(missed.length);
    // One who has all gets what comes, and one who claims more than there is begins anew.
    const current = await streams.read('m', exchange.exchange.head.seq);
    const ahead = await streams.read('m', exchange.exchange.head.seq + 1_000);
    expect((await ahead.next())?.type).to.equal('snapshot');
    await exchange.submit('d ann buy yes 1 @ 0.3');
    expect((await current.next())?.type).to.equal('delta');
    expect(current.kept.lastId).to.equal(exchange.exchange.head.seq);
    // More than is kept.
    for (let n = 0; n < 20; n += 1) await exchange.submit(`e${n} ann buy yes 1 @ 0.2`);
    await current.upTo(exchange.exchange.head.seq);
    const late = await streams.read('m', lost.kept.lastId);
    expect((await late.next())?.type).to.equal('snapshot');
    await stayed.upTo(exchange.exchange.head.seq);
    expect(late.kept.shown()).to.deep.equal(stayed.kept.shown());
    for (const reader of [stayed, back, middle, current, ahead, late]) reader.leave();
    expect(await streams.refusal('m', { 'last-event-id': 'x' })).to.deep.equal([
      400,
      'validation failure: Last-Event-ID: must be a sequence, given once',
    ]);
  });

  it('resume after a restart where the market has not changed since', async () => {
    await open();
    await exchange.submit(listMarket('n'), 'a ann buy yes 5 @ 0.4', 'b ann buy yes 5 @ 0.4 in n');
    await start();
    const [quiet, busy] = [await streams.read('m'), await streams.read('n')];
    for (const reader of [quiet, busy]) await reader.next();
    await exchange.submit('c ann buy yes 5 @ 0.4 in n');
    await exchange.projected();
    await streams.stop();
    await start();
    const quietAgain = await streams.read('m', quiet.kept.lastId);
    const busyAgain = await streams.read('n', busy.kept.lastId);
    expect((await busyAgain.next())?.type).to.equal('snapshot');
    await exchange.submit('d ann buy yes 5 @ 0.4');
    expect((await quietAgain.next())?.type).to.equal('delta');
    for (const reader of [quietAgain, busyAgain]) reader.leave();
  });

  it('are 404 of an unknown market, and have a market as soon as it is listed', async () => {
    await open();
    await start();
    expect(await streams.refusal('n')).to.deep.equal([404, 'No market has the id n']);
    await exchange.submit(listMarket('n'));
    await exchange.projected();
    const reader = await streams.read('n');
    await reader.next();
    expect(reader.kept.ids).to.deep.equal([`snapshot ${exchange.exchange.head.seq}`]);
    await exchange.submit('a ann buy yes 5 @ 0.4 in n');
    await reader.upTo(exchange.exchange.head.seq);
    expect(reader.kept.shown()).to.deep.equal({ asks: [], bids: [[0.4, 5]] });
    reader.leave();
  });

  it('have a listed market also while the books are behind the read models', async () => {
    await open();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const follow: Journal['follow'] = async function* (from, options) {
      await released;
      yield* exchange.journal.follow(from, options);
    };
    await exchange.projected();
    await start({ journal: Promise.resolve({ follow }) });
    await exchange.submit(listMarket('n'));
    await exchange.projected();
    const opening = streams.read('n');
    release();
    const reader = await opening;
    expect((await reader.next())?.id).to.equal(exchange.exchange.head.seq);
    reader.leave();
  });

  it('of a market that settles empty the book, and then say nothing more', async () => {
    await open();
    await exchange.submit(
      listMarket('n'),
      'a ann buy yes 5 @ 0.4',
      'b bob buy no 5 @ 0.5',
      'c ann buy yes 5 @ 0.4 in n',
    );
    const clock = new FakeClock();
    await start({ clock });
    const watching = await streams.read('m');
    await watching.next();
    await settle('m');
    const { seq } = (await exchange.changes()).findLast(({ marketId }) => marketId === 'm') ?? expect.fail('no change');
    await watching.upTo(seq);
    expect(watching.kept.shown()).to.deep.equal({ asks: [], bids: [] });
    // The market's last event changes no book: what comes elsewhere after it shows that it was read.
    const other = await streams.read('n');
    await exchange.submit('d ann buy yes 5 @ 0.4 in n');
    await other.upTo(exchange.exchange.head.seq);
    const [late, resumed] = [await streams.read('m'), await streams.read('m', watching.kept.lastId)];
    for (const reader of [late, resumed]) {
      const snapshot = await reader.next();
      expect(snapshot?.data).to.deep.equal(await exchange.get('m'));
    }
    // What is elsewhere comes, and after it nothing has come here.
    await exchange.submit('e ann buy yes 5 @ 0.4 in n');
    await other.upTo(exchange.exchange.head.seq);
    await streams.stop();
    for (const reader of [watching, late, resumed]) expect(await reader.next()).to.equal(null);
    await start();
    const later = await streams.read('m');
    expect((await later.next())?.data).to.deep.equal(await exchange.get('m'));
    await streams.stop();
    expect(await later.next()).to.equal(null);
  });

  it('give each market its own changes where a decision cancels in several', async () => {
    await open();
    await exchange.submit(listMarket('n'), 'a ann buy yes 5 @ 0.4', 'b ann buy yes 5 @ 0.3 in n');
    await start();
    const readers = [await streams.read('m'), await streams.read('n')];
    for (const reader of readers) await reader.next();
    const all = { accountId: 'ann', marketId: null, outcome: null, side: null };
    await exchange.submit({ ...base(keyOf('ann')), ...all, type: 'CancelOrders' });
    const { seq } = exchange.exchange.head;
    for (const [index, reader] of readers.entries()) {
      // On a busy machine a sign of life may come first.
      await reader.upTo(seq - 1 + index);
      expect(reader.kept.lastId).to.equal(seq - 1 + index);
      expect(reader.kept.shown()).to.deep.equal({ asks: [], bids: [] });
      expect(reader.kept.shown()).to.deep.equal(
        shownBook(await exchange.get(index === 0 ? 'm' : 'n', reader.kept.lastId)),
      );
      reader.leave();
    }
  });

  it('cut a reader that does not read, and nobody else', async () => {
    await open();
    await exchange.projected();
    // Decisions that nobody has to wait for a database with.
    const pages = new PassThrough({ objectMode: true });
    const follow = (): AsyncIterable<readonly StoredEvent[]> => pages;
    await start({ bufferedBytesMax: 64 * 1024, journal: Promise.resolve({ follow }) });
    const [slow, quick] = [await streams.read('m'), await streams.read('m')];
    slow.pause();
    const send = async (...commands: readonly Command[]): Promise<void> => {
      pages.write(commands.flatMap((command) => exchange.exchange.take(command).stored));
      await quick.upTo(exchange.exchange.head.seq);
    };
    const all = { accountId: 'ann', marketId: 'm', outcome: null, side: null };
    for (let round = 0; (await streams.metric('paper_book_stream_dropped_total')) === 0; round += 1) {
      const orders = Array.from({ length: 100 }, (_, n) =>
        orderFrom(`o${round}-${n} ann buy yes 1 @ ${0.1 + n / 1000}`),
      );
      await send(...orders, { ...base(keyOf('ann'), `cancel-${round}`), ...all, type: 'CancelOrders' });
    }
    await slow.drain();
    await send(orderFrom('last ann buy yes 1 @ 0.2'));
    expect(quick.kept.shown()).to.deep.equal({ asks: [], bids: [[0.2, 1]] });
    expect(await streams.metric('paper_book_streams')).to.equal(1);
    quick.leave();
    pages.end();
  });

  it('serve from the read models while the journal is away, and stop where it never came', async () => {
    await open();
    await exchange.submit('a ann buy yes 5 @ 0.4');
    await exchange.projected();
    let come = (_journal: Journal): void => undefined;
    await start({ journal: new Promise<Journal>((resolve) => (come = resolve)) });
    const reader = await streams.read('m');
    await reader.next();
    await exchange.submit('b ann buy yes 5 @ 0.41');
    come(exchange.journal);
    await reader.upTo(exchange.exchange.head.seq);
    await streams.stop();
    await start({ journal: new Promise<Journal>(() => undefined) });
  });

  it('end when the journal is found replaced, and begin anew when the read models match it', async () => {
    await open();
    const listeners = new Set<() => void>();
    let diverges = false;
    const assertNone = (): void => {
      if (diverges) throw new Error('diverged');
    };
    await start({
      books: { ...exchange.books, load: () => (assertNone(), exchange.books.load()) },
      journalCheck: {
        assertNone,
        onDivergence(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    });
    const reader = await streams.read('m');
    await reader.next();
    diverges = true;
    for (const listener of listeners) listener();
    expect(await reader.next()).to.equal(null);
    diverges = false;
    await exchange.projected();
    await streams.ready();
    const again = await streams.read('m', reader.kept.lastId + 1_000);
    expect((await again.next())?.type).to.equal('snapshot');
    again.leave();
  });

  it('are sent uncompressed, with the sequence that the books are at', async () => {
    await open();
    await start();
    const answer = await fetch(`${streams.url}/api/stream/orderbook/m`, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(answer.headers.get('content-encoding')).to.equal(null);
    expect(answer.headers.get('cache-control')).to.equal('no-cache, no-transform');
    expect(Number(answer.headers.get('x-journal-seq'))).to.equal(exchange.exchange.head.seq);
    await answer.body?.cancel();
  });
});
