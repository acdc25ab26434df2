import { setImmediate } from 'node:timers/promises';
import { Unavailable } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';
import type { AccountEventView } from '@paper/contracts/accounts';
import { PLAIN_ORDER } from '@paper/exchange/commands';
import { createApp, createOperators, hashKey, startServer } from '@paper/http';
import { createLogger, createMetrics } from '@paper/runtime';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { AccountStreams } from '../src/index.ts';
import type { AccountEventSource } from '@paper/read-models';
import type { AccountStreamsSettings } from '../src/index.ts';
import { Watcher } from './watch.ts';

const placed = (accountId: string, seq: number, padding = ''): AccountEventView => ({
  type: 'order',
  seq,
  accountId,
  order: {
    ...PLAIN_ORDER,
    orderId: `${accountId}-${seq}${padding}`,
    marketId: 'm',
    accountId,
    side: 'buy',
    outcome: 'yes',
    orderType: 'limit',
    timeInForce: 'GTC',
    priceUnits: 5_000,
    quantity: 1,
    filledQty: 0,
    status: 'open',
    createdAt: 0,
    reservedUnits: 5_000,
    averagePriceUnits: null,
    reason: null,
    seq,
  },
  reason: null,
});

const cash = (accountId: string, seq: number): AccountEventView => ({ type: 'cash', seq, accountId, cashUnits: 5_000 });

/** The sub-accounts of primaries. */
const FLEETS: Readonly<Record<string, readonly string[]>> = { ann: ['ann-2', 'ann-3'] };

/** Streams on a real server; the test controls time and the read models. */
async function startStreams(settings: Partial<AccountStreamsSettings> = {}) {
  const clock = new FakeClock();
  const metrics = createMetrics();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const journal: AccountEventView[] = [];
  const revoked = new Set<string>();
  const reads: { readonly accounts: number; readonly after: number; readonly first: string }[] = [];
  const waiting = new Set<{ readonly seq: number; readonly resolve: (reached: boolean) => void }>();
  const state = {
    seq: 100,
    failing: false,
    reading: 0,
    held: Promise.resolve(),
    seqAsked: 0,
    seqHeld: Promise.resolve(),
  };
  const events: AccountEventSource = {
    async seq() {
      state.seqAsked += 1;
      await state.seqHeld;
      return state.seq;
    },
    async read({ accountIds: single, fleetIds, keyIds, after, limit }) {
      const seq = state.seq;
      const fleets = new Map(fleetIds.map((id) => [id, [id, ...(FLEETS[id] ?? [])]]));
      const accountIds = [...single, ...[...fleets.values()].flat()];
      reads.push({ accounts: accountIds.length, after, first: accountIds[0] ?? '' });
      state.reading += 1;
      await state.held;
      await setImmediate();
      state.reading -= 1;
      if (state.failing) throw new Unavailable('no database');
      const all = journal.filter((view) => accountIds.includes(view.accountId) && view.seq > after && view.seq <= seq);
      const page = all.slice(0, limit);
      const complete = all.length <= limit;
      return {
        events: page,
        upTo: complete ? Math.max(seq, after) : (page.at(-1)?.seq ?? seq),
        complete,
        liveKeys: new Set(keyIds.filter((id) => !revoked.has(id))),
        seq,
        fleets,
        states: new Map(),
      };
    },
    reached: (seq) =>
      state.seq >= seq ? Promise.resolve(true) : new Promise((resolve) => waiting.add({ seq, resolve })),
  };
  const callers = new Map(
    ['ann', 'ben', 'cat'].map((accountId): [string, KeyCaller] => [
      hashKey(accountId),
      { kind: 'key', accountId, keyId: `key-${accountId}`, permissions: ['view'], primaryAccountId: null },
    ]),
  );
  callers.set(hashKey('master'), {
    kind: 'key',
    accountId: 'ann',
    keyId: 'key-master',
    permissions: ['master'],
    primaryAccountId: null,
  });
  callers.set(hashKey('whole'), {
    kind: 'key',
    accountId: 'ann',
    keyId: 'key-whole',
    permissions: ['view', 'trade', 'master'],
    primaryAccountId: null,
  });
  callers.set(hashKey('ann-2'), {
    kind: 'key',
    accountId: 'ann-2',
    keyId: 'key-ann-2',
    permissions: ['view', 'trade'],
    primaryAccountId: 'ann',
  });
  const streams = new AccountStreams({
    authenticate: async (hash) => callers.get(hash) ?? null,
    clock,
    events,
    logger,
    metrics,
    nearSequences: 0,
    ...settings,
  });
  streams.start();
  const app = createApp({ routes: streams.routes, operators: createOperators([]), logger, metrics, rateLimiter: null });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const metric = async (name: string): Promise<number> => {
    const { text } = await metrics.expose();
    return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  return {
    ...server,
    clock,
    journal,
    metric,
    reads,
    revoked,
    state,
    listen: (key: string, headers = '', query = '') =>
      Watcher.open(server.url, `/api/stream/account${query}`, `Authorization: Bearer ${key}\r\n${headers}`),
    /** Makes these events durable and projected. */
    happen(...views: AccountEventView[]) {
      journal.push(...views);
      state.seq = views.at(-1)?.seq ?? state.seq;
      for (const waiter of waiting) {
        if (waiter.seq > state.seq) continue;
        waiting.delete(waiter);
        waiter.resolve(true);
      }
    },
    /** Waits until the condition holds, while time passes. */
    async until(condition: () => boolean | Promise<boolean>) {
      while (!(await condition())) {
        clock.advance(10);
        await setImmediate();
      }
    },
    async stop() {
      const stopped = streams.stop();
      let done = false;
      void stopped.then(() => (done = true));
      await this.until(() => done);
      await server.close(0);
    },
  };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const idOf = (block: string | null): number => Number(/^id: (\d+)\ndata: /.exec(block ?? '')?.[1]);

describe("streams of accounts' events", () => {
  let streams: Awaited<ReturnType<typeof startStreams>>;
  const start = async (settings?: Partial<AccountStreamsSettings>): Promise<void> => {
    streams = await startStreams(settings);
  };
  afterEach(() => streams.stop());

  it('send each account its own events, read for all of them together', async () => {
    await start();
    const [ann, ben] = [await streams.listen('ann'), await streams.listen('ben')];
    for (const one of [ann, ben]) expect(await one.block()).to.equal('retry: 2000\nid: 100');
    await streams.until(() => streams.reads.some(({ accounts }) => accounts === 2));
    const readsBefore = streams.reads.length;
    streams.happen(placed('ann', 101), placed('ben', 102), placed('ann', 103));
    await streams.until(() => streams.reads.length > readsBefore);
    expect([idOf(await ann.block()), idOf(await ann.block()), idOf(await ben.block())]).to.deep.equal([101, 103, 102]);
    expect(streams.reads.slice(readsBefore)[0]).to.include({ accounts: 2, after: 100 });
  });

  it('send a whole fleet its events to a master and trade key, each with its account, live and resumed', async () => {
    await start({ pageSize: 2 });
    const [fleet, ann] = [await streams.listen('whole', '', '?fleet=true'), await streams.listen('ann')];
    for (const one of [fleet, ann]) expect(await one.block()).to.equal('retry: 2000\nid: 100');
    await streams.until(() => streams.reads.some(({ accounts }) => accounts === 4));
    streams.happen(
      placed('ann', 101),
      placed('ann-3', 102),
      placed('ben', 103),
      placed('ann-2', 104),
      placed('ann', 105),
    );
    const toldTo = async (watcher: Watcher, count: number): Promise<unknown[]> => {
      const told: unknown[] = [];
      const all = (async () => {
        while (told.length < count) {
          const block = (await skipComments(watcher)) ?? '';
          const { seq, accountId } = JSON.parse(/data: (.*)$/m.exec(block)?.[1] ?? '') as Record<string, unknown>;
          told.push([seq, accountId]);
        }
      })();
      await streams.until(() => told.length === count);
      await all;
      return told;
    };
    const whole = [
      [101, 'ann'],
      [102, 'ann-3'],
      [104, 'ann-2'],
      [105, 'ann'],
    ];
    expect(await toldTo(fleet, 4)).to.deep.equal(whole);
    expect(await toldTo(ann, 2)).to.deep.equal([whole[0], whole[3]]);
    const resumed = await streams.listen('whole', 'Last-Event-ID: 101\r\n', '?fleet=true');
    expect(await resumed.block()).to.equal('retry: 2000\nid: 101');
    expect(await toldTo(resumed, 3)).to.deep.equal(whole.slice(1));
  });

  it('refuse the fleet to a key that may not manage it, and to a sub-account', async () => {
    await start();
    const refusalOf = async (key: string, query: string): Promise<unknown> => {
      const response = await fetch(`${streams.url}/api/stream/account${query}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    expect(await refusalOf('ann', '?fleet=true')).to.deep.equal([403, 'forbidden']);
    expect(await refusalOf('ann-2', '?fleet=true')).to.deep.equal([403, 'primary_account_required']);
    expect(await refusalOf('whole', '?fleet=yes')).to.deep.equal([400, 'validation_failed']);
  });

  it('give only the last message of a sequence its id, so that a client resumes after whole events', async () => {
    await start();
    const ann = await streams.listen('ann');
    await ann.block();
    streams.happen(cash('ann', 101), placed('ann', 101), cash('ann', 102));
    const blocks: (string | null)[] = [];
    void (async () => {
      while (blocks.length < 3) blocks.push(await skipComments(ann));
    })();
    await streams.until(() => blocks.length === 3);
    expect(blocks[0]).to.equal('data: {"type":"cash","seq":101,"accountId":"ann","cash":0.5}');
    expect(blocks[1]).to.match(/^id: 101\ndata: \{"type":"order","seq":101/);
    expect(blocks[2]).to.equal('id: 102\ndata: {"type":"cash","seq":102,"accountId":"ann","cash":0.5}');
  });

  it('replay all missed events to a resuming stream, page by page, and continue with new ones', async () => {
    await start({ pageSize: 10 });
    streams.happen(...Array.from({ length: 95 }, (_, n) => placed('ann', 101 + n)));
    const ann = await streams.listen('ann', 'Last-Event-ID: 120\r\n');
    expect(await ann.block()).to.equal('retry: 2000\nid: 120');
    streams.happen(placed('ann', 196), placed('ben', 197), placed('ann', 198));
    const ids: number[] = [];
    while (ids.at(-1) !== 198) ids.push(idOf(await ann.block()));
    await streams.until(() => streams.reads.length > 8);
    streams.happen(placed('ann', 199));
    const next = skipComments(ann);
    let done = false;
    void next.then(() => (done = true));
    await streams.until(() => done);
    expect([...ids, idOf(await next)]).to.deep.equal([...Array.from({ length: 76 }, (_, n) => 121 + n), 198, 199]);
  });

  it('read a resuming stream that missed little together with the live ones', async () => {
    await start({ nearSequences: 50 });
    streams.happen(placed('ann', 110), placed('ben', 120), placed('ann', 150));
    const [ben, ann] = [await streams.listen('ben'), await streams.listen('ann', 'Last-Event-ID: 100\r\n')];
    expect([await ben.block(), await ann.block()]).to.deep.equal(['retry: 2000\nid: 150', 'retry: 2000\nid: 100']);
    const ids: number[] = [];
    void (async () => {
      while (ids.length < 2) ids.push(idOf(await skipComments(ann)));
      streams.happen(placed('ben', 151));
      ids.push(idOf(await skipComments(ben)));
    })();
    await streams.until(() => ids.length === 3);
    expect(ids).to.deep.equal([110, 150, 151]);
    expect(await streams.metric('paper_account_stream_events_total{by="replay"}')).to.equal(0);
  });

  it('read what many missed a few at a time, in turns, and refuse more of one account', async () => {
    await start({ pageSize: 2 });
    streams.happen(...['ann', 'ben', 'cat'].flatMap((id, n) => range(6).map((k) => placed(id, 101 + 6 * n + k))));
    let release = (): void => undefined;
    streams.state.held = new Promise((resolve) => (release = resolve));
    const back = (key: string): Promise<Watcher> => streams.listen(key, 'Last-Event-ID: 100\r\n');
    const open: Watcher[] = [];
    for (const key of ['ann', 'ben', 'cat']) for (let n = 0; n < 5; n += 1) open.push(await back(key));
    expect(open.map(({ status }) => status)).to.deep.equal(open.map(() => 200));
    expect((await back('ann')).status).to.equal(429);
    expect((await streams.listen('ann')).status).to.equal(200);
    await streams.until(async () => (await streams.metric('paper_account_stream_replays')) === 15);
    // Three of those that resumed, and the one live stream.
    expect(streams.state.reading).to.equal(4);
    // A waiting stream is open, and gets keep-alives.
    streams.clock.advance(15_000);
    for (const one of open) expect([await one.block(), await one.block()][1]).to.equal(': keep-alive');
    let readingMost = 0;
    release();
    await streams.until(async () => {
      readingMost = Math.max(readingMost, streams.state.reading);
      return (await streams.metric('paper_account_stream_replays')) === 0;
    });
    expect(readingMost).to.be.at.most(4);
    for (const [n, one] of open.entries()) {
      const first = 101 + 6 * Math.floor(n / 5);
      const ids: number[] = [];
      for (let k = 0; k < 6; k += 1) ids.push(idOf(await one.block()));
      expect(ids).to.deep.equal(range(6).map((k) => first + k));
    }
    expect((await back('ann')).status).to.equal(200);
    // Turns: every stream of an account is sent its first page before any its second. While all three accounts wait,
    // none is read more than the three slots that were free at first, and one turn, ahead of another.
    const reads = streams.reads.filter(({ after }) => after < streams.state.seq);
    const count = new Map(['ann', 'ben', 'cat'].map((id) => [id, 0]));
    for (const id of count.keys()) {
      const afters = reads.filter(({ first }) => first === id).map(({ after }) => after);
      expect(afters.slice(0, 5), id).to.deep.equal([100, 100, 100, 100, 100]);
    }
    for (const { first: id } of reads.slice(0, 15)) {
      count.set(id, (count.get(id) ?? 0) + 1);
      expect(Math.max(...count.values()) - Math.min(...count.values()), id).to.be.at.most(4);
    }
  });

  it('send a fleet what its streams missed at 5,000 events a second, all of them together, and others at once', async () => {
    await start({ pageSize: 700 });
    const eventsEach = 3_000;
    const missed = (id: string, n: number) => range(eventsEach).map((k) => placed(id, 101 + n * eventsEach + k));
    streams.happen(...missed('ann', 0), ...missed('ann-2', 1), ...missed('ben', 2));
    const resumed = async (key: string) => {
      const watcher = await streams.listen(key, 'Last-Event-ID: 100\r\n');
      await watcher.block();
      const ids: number[] = [];
      void (async () => {
        while (ids.length < eventsEach) ids.push(idOf(await skipComments(watcher)));
      })();
      return ids;
    };
    const began = streams.clock.monotonic();
    const fleet = [await resumed('ann'), await resumed('ann'), await resumed('ann-2')];
    const ben = await resumed('ben');
    /** The time at which each event of the fleet arrived. */
    const times: number[] = [];
    let benMs: number | null = null;
    await streams.until(() => {
      const nowMs = streams.clock.monotonic() - began;
      const arrived = fleet.reduce((sum, { length }) => sum + length, 0);
      while (times.length < arrived) times.push(nowMs);
      if (ben.length === eventsEach) benMs ??= nowMs;
      return arrived === fleet.length * eventsEach && benMs !== null;
    });
    for (const [index, atMs] of times.entries()) {
      expect(times[index + 5_000] ?? Infinity, `the second from event ${index}`).to.be.at.least(atMs + 1_000);
    }
    expect(times.at(-1)).to.be.within(1_700, 2_500);
    expect(benMs, "another fleet's pace is its own").to.be.at.most(900);
    for (const [n, ids] of fleet.entries()) expect(ids[0]).to.equal(n < 2 ? 101 : 101 + eventsEach);
  });

  it('wait with a resuming stream that missed little while its fleet has been sent too much', async () => {
    await start({ nearSequences: 3_000 });
    streams.happen(...range(3_000).map((k) => placed('ann', 101 + k)));
    const first = await streams.listen('ann', 'Last-Event-ID: 100\r\n');
    for (let n = 0; n <= 3_000; n += 1) await first.block();
    const second = await streams.listen('ann', 'Last-Event-ID: 3000\r\n');
    await second.block();
    const began = streams.clock.monotonic();
    let sentMs: number | null = null;
    void skipComments(second).then(() => (sentMs = streams.clock.monotonic() - began));
    await streams.until(() => sentMs !== null);
    expect(sentMs).to.be.within(500, 700);
  });

  it('refuse a Last-Event-ID that is no sequence, is given twice, or is yet to come', async () => {
    await start();
    for (const header of ['abc', '-1', '101', '1.0', '9'.repeat(17), '7\r\nLast-Event-ID: 7']) {
      expect((await streams.listen('ann', `Last-Event-ID: ${header}\r\n`)).status, header).to.equal(400);
    }
    for (const header of ['100', '0', '']) {
      expect((await streams.listen('ann', `Last-Event-ID: ${header}\r\n`)).status, header).to.equal(200);
    }
  });

  it('need a key, one that may view', async () => {
    await start();
    const statuses = await Promise.all(
      ['nobody', 'master', 'ann'].map(async (key) => (await streams.listen(key)).status),
    );
    expect(statuses).to.deep.equal([401, 403, 200]);
  });

  it('have a bound for each account and for all', async () => {
    await start({ streamsMax: 21 });
    for (let n = 0; n < 20; n += 1) expect((await streams.listen('ann')).status).to.equal(200);
    expect((await streams.listen('ann')).status).to.equal(429);
    expect((await streams.listen('ben')).status).to.equal(200);
    expect((await streams.listen('ben')).status).to.equal(503);
  });

  it('keep their bounds where many open at once and all wait for the same sequence', async () => {
    await start({ streamsMax: 22 });
    let release = (): void => undefined;
    streams.state.seqHeld = new Promise((resolve) => (release = resolve));
    const opening = range(25).map(() => streams.listen('ann'));
    const others = range(5).map(() => streams.listen('ben'));
    await streams.until(() => streams.state.seqAsked === 30);
    release();
    const statuses = (await Promise.all([...opening, ...others])).map(({ status }) => status);
    const countOf = (status: number): number => statuses.filter((found) => found === status).length;
    expect([countOf(200), countOf(429), countOf(503)]).to.deep.equal([22, 5, 3]);
  });

  it('send no event twice at the last sequence that was sent', async () => {
    await start({ nearSequences: 50 });
    streams.happen(placed('ann', 110));
    const ann = await streams.listen('ann');
    expect(await ann.block()).to.equal('retry: 2000\nid: 110');
    // The same read, made for a stream that is further behind, returns events that this one was sent already.
    const ben = await streams.listen('ben', 'Last-Event-ID: 105\r\n');
    expect(await ben.block()).to.equal('retry: 2000\nid: 105');
    await streams.until(() => streams.reads.some(({ accounts, after }) => accounts === 2 && after === 105));
    streams.happen(placed('ann', 111));
    let first: number | null = null;
    void skipComments(ann).then((block) => (first = idOf(block)));
    await streams.until(() => first !== null);
    expect(first).to.equal(111);
  });

  it('end when the key is revoked, live or during a replay', async () => {
    await start();
    const live = await streams.listen('ann');
    const other = await streams.listen('ben');
    streams.revoked.add('key-ann');
    streams.happen(placed('ann', 101));
    expect(await live.block()).to.equal('retry: 2000\nid: 100');
    let ended: string | null | undefined;
    void skipComments(live).then((block) => (ended = block));
    await streams.until(() => ended !== undefined);
    expect(ended).to.equal(null);
    const late = await streams.listen('ann', 'Last-Event-ID: 100\r\n');
    await late.block();
    expect(await late.block()).to.equal(null);
    expect(await streams.metric('paper_account_streams')).to.equal(1);
    other.leave();
  });

  it('say every 15 seconds that they are there', async () => {
    await start();
    const ann = await streams.listen('ann');
    await ann.block();
    streams.clock.advance(15_000);
    expect(await ann.block()).to.equal(': keep-alive');
  });

  it('go on after reads that failed, without a gap', async () => {
    await start();
    const ann = await streams.listen('ann');
    await ann.block();
    streams.state.failing = true;
    streams.happen(placed('ann', 101));
    const before = streams.reads.length;
    await streams.until(() => streams.reads.length > before + 1);
    streams.state.failing = false;
    streams.happen(placed('ann', 102));
    const ids: number[] = [];
    void (async () => {
      while (ids.length < 2) ids.push(idOf(await skipComments(ann)));
    })();
    await streams.until(() => ids.length === 2);
    expect(ids).to.deep.equal([101, 102]);
  });

  it('wait for a client that reads slowly what it missed, and cut one that does not read at all', async () => {
    await start({ pageSize: 10, bufferedBytesMax: 1 << 20 });
    const padding = 'x'.repeat(1 << 16);
    streams.happen(...Array.from({ length: 400 }, (_, n) => placed('ann', 101 + n, padding)));
    const ann = await streams.listen('ann', 'Last-Event-ID: 100\r\n');
    ann.pause();
    await streams.until(async () => (await streams.metric('paper_account_stream_dropped_total')) === 1);
    // The replay was not read to its end for a client that does not receive it.
    expect(streams.reads.length).to.be.lessThan(40);
    await ann.drain();
    await streams.until(async () => (await streams.metric('paper_account_streams')) === 0);
  });

  it('wait for a client that does not read, however much may be unread, and cut it after 30 seconds', async () => {
    await start({ pageSize: 10, bufferedBytesMax: 1 << 30 });
    const padding = 'x'.repeat(1 << 16);
    streams.happen(...Array.from({ length: 400 }, (_, n) => placed('ann', 101 + n, padding)));
    const ann = await streams.listen('ann', 'Last-Event-ID: 100\r\n');
    ann.pause();
    const began = streams.clock.monotonic();
    await streams.until(async () => (await streams.metric('paper_account_stream_dropped_total')) === 1);
    expect(streams.clock.monotonic() - began).to.be.at.least(30_000);
    expect(streams.reads.length).to.be.lessThan(40);
    await ann.drain();
    await streams.until(async () => (await streams.metric('paper_account_streams')) === 0);
  });

  it('leave no memory of streams that came and went', async function () {
    this.timeout(30_000);
    await start();
    for (let round = 0; round < 30; round += 1) {
      const open = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          streams.listen(n % 2 === 0 ? 'ann' : 'ben', n % 3 === 0 ? 'Last-Event-ID: 7\r\n' : ''),
        ),
      );
      expect(open.map(({ status }) => status)).to.deep.equal(open.map(() => 200));
      for (const one of open) one.leave();
      await streams.until(async () => (await streams.metric('paper_account_streams')) === 0);
    }
    // Only the keep-alive's timer is left.
    await streams.until(() => streams.clock.waiting <= 1);
  });
});

/** The next block that is no comment: time that passes while a block is on the socket brings keep-alives. */
async function skipComments(watcher: Watcher): Promise<string | null> {
  for (;;) {
    const block = await watcher.block();
    if (block === null || !block.startsWith(':')) return block;
  }
}
