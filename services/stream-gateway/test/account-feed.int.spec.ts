import type { KeyCaller } from '@paper/contracts';
import type { ApiKeyIssued } from '@paper/exchange/events';
import { createMemoryJournal, createMemoryLog, decodeEvent, withhold } from '@paper/journal';
import type { Journal } from '@paper/journal';
import {
  connectReadModels,
  createAccountEventSource,
  createBookSource,
  createReader,
  prepareReadModels,
  Progress,
  runProjector,
} from '@paper/read-models';
import type { BeginStream } from '@paper/http';
import { ensureNameTables } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import {
  base,
  eventually,
  keyOf,
  listMarket,
  openAccount,
  orderFrom,
  SimulatedJournal,
  startEpoch,
  StoredExchange,
  testDatabase,
} from '@paper/testkit';
import { expect } from 'chai';
import { AccountStreams, BookStreams } from '../src/index.ts';
import { eventTexts } from '../src/account-watch.ts';

/** The journal as a process follows it from which private parts are withheld. */
function withheld(journal: Journal): Pick<Journal, 'follow'> {
  return {
    async *follow(fromSeq, options) {
      for await (const page of journal.follow(fromSeq, options)) {
        yield page.map((stored) => ({ ...withhold(stored), privateText: null }));
      }
    },
  };
}

/** Read models of a journal, and the streams of books and accounts, all in this process. Writes are noted in order. */
async function startStreams(journal: Journal, followed: Pick<Journal, 'follow'> = journal) {
  const database = await testDatabase();
  const db = connectReadModels({ connectionString: database.connectionString });
  await prepareReadModels(db);
  await ensureNameTables(database.connectionString);
  const progress = new Progress();
  const stopping = new AbortController();
  const projecting = runProjector({ db, journal, onProgress: ({ seq }) => progress.set(seq) }, stopping.signal);
  const reader = createReader({
    connectionString: database.connectionString,
    journal: Promise.resolve(journal),
    localProgress: progress,
    onIdleError: () => undefined,
  });
  const metrics = createMetrics();
  const common = { authenticate: async () => null, logger: createLogger({ level: 'silent', name: 'test' }), metrics };
  const events = createAccountEventSource(reader.readModels, progress);
  const accounts = new AccountStreams({ ...common, events });
  const books = new BookStreams({
    ...common,
    accounts: accounts.feed,
    books: createBookSource(reader.readModels, progress),
    journal: Promise.resolve(followed),
  });
  accounts.start();
  books.start();
  const writes: { readonly name: string; readonly text: string }[] = [];
  const ended = new Set<string>();
  const begin =
    (name: string): BeginStream =>
    (_seq, first, closed) => {
      const write = (bytes: Buffer): void => void writes.push({ name, text: bytes.toString() });
      const end = (): void => {
        ended.add(name);
        setImmediate(closed);
      };
      write(first);
      return { buffered: 0, write, drained: () => Promise.resolve(), end, cut: end };
    };
  const input = { body: null, idempotency: null, isFresh: true, lastEventIds: [] };
  return {
    events,
    ended,
    progress,
    writes,
    /** The blocks that a stream got, each with an event. */
    blocks: (name: string): readonly string[] =>
      writes
        .filter((one) => one.name === name)
        .flatMap(({ text }) => text.split('\n\n'))
        .filter((block) => block.includes('data: ')),
    openAccount: (caller: KeyCaller, name: string, query: { readonly fleet?: 'true' } = {}) =>
      accounts.routes[0]?.open(caller, { ...input, params: null, query }, begin(name)),
    openBook: (marketId: string, name: string) =>
      books.routes[0]?.open({ kind: 'public' }, { ...input, params: { marketId }, query: null }, begin(name)),
    /** Streams that get their events from the journal itself. */
    liveStreams: () => accounts.feed.count,
    /** Waits until so many streams do. */
    live: (count: number) => eventually(`${count} live streams`, () => accounts.feed.count === count),
    async stopProjector() {
      stopping.abort();
      await projecting;
    },
    async close() {
      await Promise.all([accounts.stop(), books.stop()]);
      stopping.abort();
      await projecting;
      await reader.close();
      await db.destroy();
      await database.close();
    },
  };
}

const callerOf = (accountId: string, keyId = `${accountId}-key`): KeyCaller => {
  return { kind: 'key', accountId, keyId, permissions: ['view', 'trade', 'master'], primaryAccountId: null };
};

/** What a block says. The read models name its market as it is called now, so of that only the ticker is left. */
function sentIn(block: string): unknown {
  const [, id = null, data = ''] = /^(?:id: (\d+)\n)?data: (.*)$/.exec(block) ?? [];
  const market = (key: string, value: unknown): unknown =>
    key === 'market' ? (value as { readonly ticker: string }).ticker : value;
  return [id, JSON.parse(data, market)];
}

for (const [how, follow] of [
  ['with private parts', (journal: Journal) => journal],
  ['without private parts', withheld],
] as const) {
  describe(`accounts' streams from the journal itself, ${how}`, function () {
    this.timeout(60_000);
    let streams: Awaited<ReturnType<typeof startStreams>>;
    let exchange: StoredExchange;
    afterEach(() => streams.close());

    /** The accounts ann, who offers, and bob; streams of both, and of the book of the market m. */
    const startTrading = async (): Promise<void> => {
      const journal = createMemoryJournal(createMemoryLog());
      exchange = new StoredExchange(journal);
      for (const command of [startEpoch(), openAccount('ann'), openAccount('bob'), listMarket('m')]) {
        await exchange.submit(command);
      }
      await exchange.submit(orderFrom('rest ann buy yes 10 @ 0.40'));
      streams = await startStreams(journal, follow(journal));
      await streams.progress.reached(exchange.head.seq, 20_000);
      await eventually('the books are read', () =>
        (streams.openBook('m', 'book') ?? Promise.reject(new Error('no route'))).then(
          () => true,
          () => false,
        ),
      );
      for (const name of ['ann', 'bob']) await streams.openAccount(callerOf(name), name);
      await streams.live(2);
    };

    it('a maker gets a fill before the readers of the book, and while the read models are behind', async () => {
      await startTrading();
      await streams.stopProjector();
      const { length } = streams.writes;
      await exchange.submit(orderFrom('take bob buy no 4 @ 0.60'));
      await eventually('the trade on the book', () =>
        streams.blocks('book').some((block) => block.startsWith('event: trade')),
      );
      expect(streams.progress.newest(), 'the read models').to.be.lessThan(exchange.head.seq);
      const names = streams.writes.slice(length).map(({ name }) => name);
      expect(names.indexOf('ann'), names.join(' ')).to.be.within(0, names.indexOf('book') - 1);
      const kinds = streams.blocks('ann').map((block) => /"type":"(\w+)"/.exec(block)?.[1]);
      expect(kinds).to.deep.equal(['cash', 'fill']);
    });

    it('end with their key, while the read models still have it', async () => {
      await startTrading();
      await streams.stopProjector();
      await exchange.submit({ ...base(keyOf('ann'), 'revoke'), type: 'RevokeApiKey', keyId: 'ann-key' });
      await eventually('the end of the stream', () => streams.ended.has('ann'));
      expect(streams.ended.has('bob')).to.equal(false);
      await streams.live(1);
    });

    it('equal what the read models have, each event once and in order, whenever a stream begins', async () => {
      const simulated = new SimulatedJournal({ seed: 7, markets: 4, changeSettings: false });
      streams = await startStreams(simulated.journal, follow(simulated.journal));
      const opened: { accountId: string; fleet: boolean; keyId: string; name: string; seq: number }[] = [];
      const open = async ({ accountId, keyId }: ApiKeyIssued, fleet: boolean): Promise<void> => {
        const name = `${opened.length} ${accountId}`;
        opened.push({ accountId, fleet, keyId, name, seq: await streams.events.seq() });
        await streams.openAccount(callerOf(accountId, keyId), name, fleet ? { fleet: 'true' } : {});
      };
      const seen = new Set<string>();
      for (let round = 0; round < 20; round += 1) {
        await simulated.run(40);
        await streams.progress.reached(simulated.head.seq - (round % 2) * 10, 20_000);
        for (const stored of await simulated.journal.read(1, simulated.head.seq)) {
          const { event } = decodeEvent(stored);
          if (event.type !== 'ApiKeyIssued' || seen.has(event.keyId)) continue;
          seen.add(event.keyId);
          await open(event, seen.size % 3 === 0);
        }
        if (round % 4 === 3) await eventually('a live stream', () => streams.liveStreams() > 0);
      }
      await streams.progress.reached(simulated.head.seq, 20_000);
      expect(opened.length).to.be.greaterThan(10);
      for (const { accountId, fleet, keyId, name, seq } of opened) {
        const [accountIds, fleetIds] = fleet ? [[], [accountId]] : [[accountId], []];
        const page = await streams.events.read({ accountIds, fleetIds, keyIds: [keyId], after: seq, limit: 100_000 });
        const due = eventTexts(page.events).map(({ bytes }) => sentIn(bytes.toString().trimEnd()));
        const isLive = page.liveKeys.has(keyId);
        if (isLive) await eventually(`all of ${name}`, () => streams.blocks(name).length >= due.length);
        else await eventually(`the end of ${name}`, () => streams.ended.has(name));
        const sent = streams.blocks(name).map(sentIn);
        expect(sent, name).to.deep.equal(isLive ? due : due.slice(0, sent.length));
        expect(streams.ended.has(name), name).to.equal(!isLive);
      }
    });
  });
}
