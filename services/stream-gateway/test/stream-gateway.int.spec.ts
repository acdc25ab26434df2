import { setImmediate } from 'node:timers/promises';
import { Unavailable } from '@paper/contracts';
import { Pulse } from '@paper/contracts/markets';
import type { PulseEntryView } from '@paper/contracts/markets';
import { createInProcessPulse } from '@paper/pulse';
import type { PulseMessage } from '@paper/pulse';
import { createApp, createOperators, startServer } from '@paper/http';
import type { BeginStream } from '@paper/http';
import { createLogger, createMetrics } from '@paper/runtime';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { StreamGateway } from '../src/index.ts';
import type { StreamGatewaySettings } from '../src/index.ts';
import { Watcher } from './watch.ts';

const entry = (id: string, seq: number): PulseEntryView => ({
  bestAskUnits: 5_200,
  bestBidUnits: null,
  id,
  lastTradeUnits: 5_000,
  phase: 'active',
  probabilityHalfUnits: 10_000,
  seq,
  volume: seq,
});
const message = (seq: number, ids: readonly string[]): PulseMessage => ({
  seq,
  pulse: Pulse.body({ at: Date.UTC(2026, 10, 21) + seq, markets: ids.map((id) => entry(id, seq)) }),
});

/** Markets that exist; the first two are the most active. */
const MARKETS = ['a', 'b', 'c', 'd'];

/** A gateway on a real server; the test controls time and the read models. */
async function startGateway(settings: Partial<StreamGatewaySettings> = {}) {
  const clock = new FakeClock();
  const channel = createInProcessPulse();
  const metrics = createMetrics();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const asked: string[] = [];
  const state = { seq: 100, failing: false, held: Promise.resolve() };
  const snapshot = async (name: string, ids: readonly string[]): Promise<PulseMessage> => {
    asked.push(name);
    await state.held;
    await setImmediate();
    if (state.failing) throw new Unavailable('no database');
    state.seq += 1;
    return message(state.seq, ids);
  };
  const gateway = new StreamGateway({
    authenticate: async () => null,
    channel,
    clock,
    logger,
    metrics,
    snapshots: {
      mostActive: () => snapshot('most active', MARKETS.slice(0, 2)),
      of: (ids) =>
        snapshot(
          ids.join(),
          MARKETS.filter((id) => ids.includes(id)),
        ),
    },
    ...settings,
  });
  gateway.start();
  const app = createApp({ routes: gateway.routes, operators: createOperators([]), logger, metrics, rateLimiter: null });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const metric = async (name: string): Promise<number> => {
    const { text } = await metrics.expose();
    return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  return {
    ...server,
    asked,
    channel,
    clock,
    gateway,
    metric,
    state,
    watch: (query = '', headers = '') => Watcher.open(server.url, `/api/stream${query}`, headers),
    /** Advances two seconds, and sends a pulse over the channel. */
    async pulse(seq: number, ids: readonly string[] = MARKETS.slice(0, 2)) {
      clock.advance(2_000);
      await channel.publish(message(seq, ids));
    },
    /** Waits until the condition holds: its cause is still on the way over a socket. */
    async until(condition: () => Promise<boolean>) {
      while (!(await condition())) await setImmediate();
    },
    async stop() {
      gateway.stop();
      await server.close(0);
    },
  };
}

describe('the stream gateway', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  const start = async (settings?: Partial<StreamGatewaySettings>): Promise<void> => {
    gateway = await startGateway(settings);
  };
  afterEach(() => gateway.stop());

  it('sends the first watchers a snapshot of now, read once, and then every pulse as it comes', async () => {
    await start();
    const watchers = await Promise.all([gateway.watch(), gateway.watch(), gateway.watch()]);
    for (const watcher of watchers) expect(await watcher.block()).to.match(/^retry: 2000\nid: 101\ndata: \{"ts":/);
    expect(gateway.asked).to.deep.equal(['most active']);
    for (const seq of [200, 201, 202]) await gateway.pulse(seq);
    for (const watcher of watchers) {
      for (const seq of [200, 201, 202]) {
        const { pulse } = message(seq, ['a', 'b']);
        expect(await watcher.next()).to.deep.equal({ id: seq, pulse });
      }
    }
    expect(gateway.asked).to.have.length(1);
  });

  it('sends a crowd every pulse in order', async () => {
    await start();
    const crowd = await Promise.all(Array.from({ length: 120 }, () => gateway.watch()));
    for (const seq of [200, 201, 202]) await gateway.pulse(seq);
    for (const watcher of crowd) {
      expect(await watcher.block()).to.match(/^retry: 2000\nid: 101\n/);
      const ids = [await watcher.next(), await watcher.next(), await watcher.next()].map((seen) => seen?.id);
      expect(ids).to.deep.equal([200, 201, 202]);
    }
  });

  it('sends the latest pulse to a watcher between two pulses, and accepts any Last-Event-ID', async () => {
    await start();
    await gateway.pulse(200);
    gateway.clock.advance(1_000);
    for (const given of ['', 'Last-Event-ID: 7\r\n', 'Last-Event-ID: 999999999\r\n', 'Last-Event-ID: x\r\n']) {
      expect((await (await gateway.watch('', given)).next())?.id).to.equal(200);
    }
    expect(gateway.asked).to.deep.equal([]);
  });

  it('narrows to one market, whether it is among the most active or not', async () => {
    await start();
    const [active, quiet, alsoQuiet] = [
      await gateway.watch('?marketId=a'),
      await gateway.watch('?marketId=c'),
      await gateway.watch('?marketId=d'),
    ];
    const ids = async (watcher: Watcher) => (await watcher.next())?.pulse.markets.map(({ id }) => id);
    for (const told of ['first', 'next']) {
      expect([told, await ids(active), await ids(quiet), await ids(alsoQuiet)]).to.deep.equal([
        told,
        ['a'],
        ['c'],
        ['d'],
      ]);
      if (told === 'first') await gateway.pulse(200);
    }
    // Markets that the pulse lacks are read in one query for all watchers.
    expect(gateway.asked).to.deep.equal(['a', 'c', 'd', 'c,d']);
  });

  it('sends exactly the markets of a list, in its order, each list of one sequence', async () => {
    await start();
    const active = await gateway.watch('?marketIds=b,a');
    const mixed = await gateway.watch('?marketIds=c,a,c');
    const one = await gateway.watch('?marketIds=d', 'Last-Event-ID: 7\r\n');
    const expectNext = async (watcher: Watcher, id: number, markets: readonly string[]) =>
      expect(await watcher.next()).to.deep.equal({ id, pulse: message(id, markets).pulse });
    await expectNext(active, 101, ['b', 'a']);
    await expectNext(mixed, 102, ['c', 'a']);
    await expectNext(one, 103, ['d']);
    await gateway.pulse(200);
    await expectNext(active, 200, ['b', 'a']);
    // One query for all lists that have a market which the pulse lacks.
    await expectNext(mixed, 104, ['c', 'a']);
    await expectNext(one, 104, ['d']);
    expect(gateway.asked).to.deep.equal(['b,a', 'c,a', 'd', 'c,a,d']);
    // Between two pulses nothing is read for markets that others watch, in whatever lists.
    await expectNext(await gateway.watch('?marketIds=d,c'), 104, ['d', 'c']);
    await expectNext(await gateway.watch('?marketId=b'), 200, ['b']);
    expect(gateway.asked).to.have.length(4);
  });

  it('makes the bytes of a list once for all of its watchers', async () => {
    await start();
    const sent: Buffer[][] = [];
    const begin: BeginStream = () => {
      const received: Buffer[] = [];
      sent.push(received);
      const nothing = (): void => undefined;
      const write = (bytes: Buffer): void => void received.push(bytes);
      return { buffered: 0, write, drained: () => Promise.resolve(), end: nothing, cut: nothing };
    };
    const input = {
      params: null,
      query: { marketIds: ['a', 'c'] },
      body: null,
      idempotency: null,
      isFresh: false,
      lastEventIds: [],
    };
    const [route] = gateway.gateway.routes;
    await Promise.all(Array.from({ length: 20 }, async () => route?.open({ kind: 'public' }, input, begin)));
    expect(gateway.asked).to.deep.equal(['a,c']);
    await gateway.pulse(200);
    await gateway.until(() => Promise.resolve(sent.every(({ length }) => length === 1)));
    expect(sent).to.have.length(20);
    expect(new Set(sent.flat())).to.have.property('size', 1);
  });

  it('refuses a list that is malformed, unknown, or beside a single market', async () => {
    await start();
    const refusal = async (query: string) => {
      const answer = await fetch(`${gateway.url}/api/stream?${query}`);
      return [answer.status, await answer.json()];
    };
    const malformed = {
      error: 'validation failure: marketIds: must be 1 to 100 ids of markets with commas between',
      code: 'validation_failed',
    };
    const ids = (count: number): string => Array.from({ length: count }, (_, n) => `a${n}`).join(',');
    for (const list of ['', ',', 'a,', ',a', 'a,,b', 'a, b', 'a;b', '-a', 'ä', 'x'.repeat(101), ids(101)]) {
      expect(await refusal(`marketIds=${encodeURIComponent(list)}`), list).to.deep.equal([400, malformed]);
    }
    expect((await refusal('marketIds=a&marketIds=b'))[0]).to.equal(400);
    expect(await refusal('marketId=a&marketIds=a')).to.deep.equal([
      400,
      {
        error: 'validation failure: marketIds: give either marketId or marketIds, not both',
        code: 'validation_failed',
      },
    ]);
    expect(await refusal(`marketIds=a,${ids(99)}`)).to.deep.equal([
      404,
      { error: 'No market has the id a0', code: 'market_not_found' },
    ]);
    expect(await gateway.metric('paper_stream_watchers')).to.equal(0);
  });

  it('refuses an unknown market before a stream begins', async () => {
    await start();
    const refused = await fetch(`${gateway.url}/api/stream?marketId=nothing`);
    expect([refused.status, await refused.json()]).to.deep.equal([
      404,
      { error: 'No market has the id nothing', code: 'market_not_found' },
    ]);
    expect(await gateway.metric('paper_stream_watchers')).to.equal(0);
  });

  it('refuses watchers beyond the limit, and takes another when one has left', async () => {
    await start({ watchersMax: 2 });
    const [first] = await Promise.all([gateway.watch(), gateway.watch('?marketId=a')]);
    const refused = await fetch(`${gateway.url}/api/stream`);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).to.deep.equal([
      503,
      '10',
      { error: 'Too many are watching; try again later', code: 'unavailable' },
    ]);
    first.leave();
    await gateway.until(async () => (await gateway.metric('paper_stream_watchers')) === 1);
    expect((await gateway.watch()).status).to.equal(200);
  });

  it('keeps its bound where many open at once and all wait for the same snapshot', async () => {
    await start({ watchersMax: 3 });
    let release = (): void => undefined;
    gateway.state.held = new Promise((resolve) => (release = resolve));
    const opening = Array.from({ length: 8 }, () => gateway.watch());
    const refused: Watcher[] = [];
    for (const one of opening) void one.then((watcher) => watcher.status === 503 && refused.push(watcher));
    await gateway.until(() => Promise.resolve(refused.length === 5));
    release();
    const statuses = (await Promise.all(opening)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(3);
  });

  it('makes pulses itself every 2 seconds when none has come for 3, until one comes again', async () => {
    await start();
    const watcher = await gateway.watch();
    await watcher.next();
    await gateway.pulse(200);
    expect((await watcher.next())?.id).to.equal(200);
    gateway.clock.advance(2_999);
    expect(gateway.asked).to.deep.equal(['most active']);
    gateway.clock.advance(1);
    expect((await watcher.next())?.id).to.equal(102);
    gateway.clock.advance(2_000);
    expect((await watcher.next())?.id).to.equal(103);
    expect(await gateway.metric('paper_stream_pulses_total{maker="gateway"}')).to.equal(2);
    await gateway.pulse(201);
    // A snapshot was being read when the pulse came; it is not sent.
    expect((await watcher.next())?.id).to.equal(201);
    gateway.clock.advance(2_999);
    expect(gateway.asked).to.have.length(4);
    await gateway.channel.publish(message(202, ['a']));
    expect((await watcher.next())?.id).to.equal(202);
  });

  it('passes over a pulse that comes too soon after another', async () => {
    await start();
    const watcher = await gateway.watch();
    await watcher.next();
    await gateway.pulse(200);
    gateway.clock.advance(999);
    await gateway.channel.publish(message(201, ['a']));
    await gateway.pulse(202);
    expect([(await watcher.next())?.id, (await watcher.next())?.id]).to.deep.equal([200, 202]);
  });

  it('says that it is there when no snapshot can be taken, and refuses new watchers with 503', async () => {
    await start();
    const [all, one] = [await gateway.watch(), await gateway.watch('?marketId=c')];
    await Promise.all([all.next(), one.next()]);
    gateway.state.failing = true;
    gateway.clock.advance(3_000);
    expect(await all.block()).to.equal(': the markets cannot be read now');
    expect(await one.block()).to.equal(': the markets cannot be read now');
    await gateway.channel.publish(message(200, ['a', 'b']));
    expect((await all.next())?.id).to.equal(200);
    expect(await one.block()).to.equal(': the markets cannot be read now');
    expect((await fetch(`${gateway.url}/api/stream?marketId=d`)).status).to.equal(503);
    gateway.state.failing = false;
    await gateway.pulse(201);
    expect((await one.next())?.pulse.markets[0]?.id).to.equal('c');
  });

  it('does no work without watchers', async () => {
    await start();
    gateway.clock.advance(60_000);
    await setImmediate();
    expect(gateway.asked).to.deep.equal([]);
  });

  it('cuts a watcher that does not read, and sends the others everything', async () => {
    await start({ bufferedBytesMax: 64 * 1024 });
    const [slow, good] = [await gateway.watch(), await gateway.watch()];
    slow.pause();
    await good.next();
    const ids = Array.from({ length: 4_000 }, (_, n) => `market-${n}`);
    let seq = 200;
    while ((await gateway.metric('paper_stream_dropped_total')) === 0) {
      await gateway.pulse((seq += 1), ids);
      expect((await good.next())?.id).to.equal(seq);
    }
    await gateway.until(async () => (await gateway.metric('paper_stream_watchers')) === 1);
    await slow.drain();
    await gateway.pulse((seq += 1));
    expect((await good.next())?.id).to.equal(seq);
  });

  it('ends every stream at the stop, does not wait for watchers that do not read, and refuses new ones', async () => {
    await start();
    const [all, one, slow] = [await gateway.watch(), await gateway.watch('?marketId=c'), await gateway.watch()];
    slow.pause();
    const ids = Array.from({ length: 4_000 }, (_, n) => `market-${n}`);
    for (let seq = 200; seq < 230; seq += 1) await gateway.pulse(seq, ids);
    gateway.gateway.stop();
    for (const watcher of [all, one]) {
      let last = await watcher.next();
      while (last !== null) last = await watcher.next();
    }
    expect((await fetch(`${gateway.url}/api/stream`)).status).to.equal(503);
    // Longer than any test may take: `close` would wait this long if a stream were left.
    await gateway.close(600_000);
    expect(await gateway.metric('paper_stream_watchers')).to.equal(0);
    expect(gateway.clock.waiting).to.equal(0);
  });

  it('forgets 1,000 watchers that came and left', async () => {
    await start();
    await gateway.pulse(200);
    for (let round = 0; round < 20; round += 1) {
      const watchers = await Promise.all(Array.from({ length: 50 }, () => gateway.watch()));
      for (const watcher of watchers) watcher.leave();
      await gateway.until(async () => (await gateway.metric('paper_stream_watchers')) === 0);
    }
    await gateway.pulse(201);
    expect((await (await gateway.watch()).next())?.id).to.equal(201);
  });
});
