import { expect } from 'chai';
import { createClient } from '../src/index.ts';
import type { Api, ClientOptions } from '../src/index.ts';
import { ScriptedBacktest } from './scripted-backtest.ts';
import { failure, json, scriptedServer } from './scripted-server.ts';

const START = Date.parse('2026-01-05T15:00:00.000Z');
const ORDER = { marketId: 'm', outcome: 'yes', price: 0.5, quantity: 1 } as const;
const cash = (seq: number): Api.CashEvent => ({ type: 'cash', seq, accountId: 'a', cash: seq });

describe('the clock of a backtest', () => {
  const server = scriptedServer();
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: `${server.baseUrl}/backtest/b/`, key: 'k', ...options });
  const requests = () => server.seen.map(({ request }) => request.replace('/backtest/b', ''));
  const isoAt = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

  it('is read below the path of the backtest, and follows X-Time', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 9_000 }]);
    backtest.serve(server, (response, seen) => {
      backtest.nowMs += 50;
      json(200, [], backtest.time)(response, seen);
    });
    const ours = client();
    expect(await ours.now()).to.equal(START);
    await ours.fetchMarkets();
    expect(await ours.now()).to.equal(START + 50);
    expect(server.seen.map(({ request }) => request)).to.deep.equal([
      'GET /backtest/b/api/clock',
      'GET /backtest/b/api/markets',
    ]);
  });

  it('sleep and every advance it, however long it is, and end with it', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 3_600_000 }]);
    backtest.serve(server);
    const ours = client();
    await ours.sleep(60_000);
    expect(backtest.advances).to.deep.equal([{ until: isoAt(60), wake: [] }]);
    const at: number[] = [];
    for await (const now of ours.every(1_200_000)) at.push((now - START) / 1_000);
    expect(at).to.deep.equal([60, 1_260, 2_460]);
    expect(await ours.now()).to.equal(START + 3_600_000);
    const error = await failure(ours.sleep(1));
    expect(error).to.include({ code: 'backtest_ended', status: 400 });
  });

  it('sleep and every with fractions of a millisecond go to the next whole one', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 9_000 }]);
    backtest.serve(server);
    const ours = client();
    await ours.sleep(0.5);
    await ours.sleep(998.25);
    expect(await ours.now()).to.equal(START + 1_000);
    expect(backtest.advances.map(({ until }) => until)).to.deep.equal([isoAt(0.001), isoAt(1)]);
    const timesOf = async (everyMs: number): Promise<number[]> => {
      const times: number[] = [];
      for await (const now of ours.every(everyMs)) {
        if (times.push(now - START) === 4) break;
      }
      return times;
    };
    expect(await timesOf(1_000 / 3)).to.deep.equal([1_000, 1_334, 1_667, 2_000]);
    expect(await timesOf(2_000 / 3)).to.deep.equal([2_000, 2_667, 3_334, 4_000]);
    expect(await timesOf(0.4)).to.deep.equal([4_000, 4_001, 4_002, 4_003]);
  });

  it('tasks that begin at once read it once, and then wait together', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 9_000 }]);
    backtest.serve(server);
    const ours = client();
    const ended: string[] = [];
    await Promise.all([
      ours.sleep(3_000).then(() => ended.push('later')),
      ours.sleep(1_000).then(() => ended.push('sooner')),
    ]);
    expect(ended).to.deep.equal(['sooner', 'later']);
    expect(requests()).to.deep.equal(['GET /api/clock', 'POST /api/clock/advance', 'POST /api/clock/advance']);
    expect(backtest.advances.map(({ until }) => until)).to.deep.equal([isoAt(1), isoAt(3)]);
  });

  it('a time after 2999, which the API does not accept, is the end', async () => {
    for (const ms of [Number.MAX_SAFE_INTEGER, 1e300, Date.UTC(3000, 0) - START - 0.5]) {
      const backtest = new ScriptedBacktest(START, [{ atMs: START + 9_000 }]);
      backtest.serve(server);
      expect(await failure(client().sleep(ms))).to.include({ code: 'backtest_ended' });
      expect(backtest.advances).to.deep.equal([{ wake: [] }]);
    }
  });

  it('an account’s stream is an advance by `account`, gives what the own commands caused at once, and ends', async () => {
    const backtest = new ScriptedBacktest(START, [
      { atMs: START + 5_000, events: [cash(5)] },
      { atMs: START + 7_000, wakes: ['account'], events: [cash(7), cash(8)] },
      { atMs: START + 9_000 },
    ]);
    backtest.serve(server, (response, seen) => {
      if (seen.request.startsWith('POST')) backtest.unread.push(cash(9));
      json(200, {}, backtest.time)(response, seen);
    });
    backtest.unread.push(cash(1));
    const ours = client();
    const stream = ours.watchAccount();
    await stream.open();
    const found: [number, number][] = [];
    for await (const event of stream) {
      found.push([event.seq, ((await ours.now()) - START) / 1_000]);
      if (event.seq === 8) await ours.createOrder(ORDER);
    }
    // The first is from before the stream, as with the live exchange.
    expect(found).to.deep.equal([
      [5, 7],
      [7, 7],
      [8, 7],
      [9, 7],
    ]);
    expect(backtest.advances.slice(1)).to.deep.equal([
      { wake: ['account'] },
      { until: isoAt(7), wake: [] },
      { wake: ['account'] },
    ]);
  });

  it('a fleet’s stream advances by the events of all accounts, and one of the account alone beside it has its own', async () => {
    const ofSub = { ...cash(6), accountId: 'b' };
    const moments = [{ atMs: START + 5_000, wakes: ['account'], events: [cash(5), ofSub] }] as const;
    const backtest = new ScriptedBacktest(START, [...moments, { atMs: START + 9_000 }]);
    backtest.serve(server, json(200, { accountId: 'a' }, backtest.time));
    const ours = client();
    const [fleet, own] = [ours.watchAccount({ fleet: true }), ours.watchAccount()];
    await fleet.open();
    await own.open();
    const found: string[] = [];
    const note = async (stream: typeof own, name: string) => {
      for await (const { accountId, seq } of stream) found.push(`${name} ${seq} of ${accountId}`);
    };
    await Promise.all([note(fleet, 'fleet'), note(own, 'own')]);
    expect(found.sort()).to.deep.equal(['fleet 5 of a', 'fleet 6 of b', 'own 5 of a']);
    expect(backtest.advances.every((advance) => advance.fleet === true)).to.equal(true);
  });

  it('waits for all that the client does: the first time of all is the one to which it goes', async () => {
    const moment = { atMs: START + 3_000, wakes: ['account'], events: [cash(3)] } as const;
    const backtest = new ScriptedBacktest(START, [moment, { atMs: START + 20_000 }]);
    backtest.serve(server);
    const ours = client();
    const told: string[] = [];
    const note = async (what: string) => void told.push(`${what} at ${((await ours.now()) - START) / 1_000}`);
    const follow = async () => {
      for await (const { seq } of ours.watchAccount()) await note(`event ${seq}`);
    };
    const look = async () => {
      for await (const _now of ours.every(2_000)) {
        // A request holds the clock, also where another part of the bot waits.
        await ours.fetchHealth();
        await note('look');
        if (told.length > 3) break;
      }
    };
    await Promise.all([follow(), look()]);
    expect(told).to.deep.equal(['look at 0', 'look at 2', 'event 3 at 3', 'look at 4']);
  });

  it('sends one request after the other, in the order of the calls', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 9_000 }]);
    let underWay = 0;
    let most = 0;
    backtest.serve(server, (response, seen) => {
      most = Math.max(most, (underWay += 1));
      setImmediate(() => {
        underWay -= 1;
        json(200, {})(response, seen);
      });
    });
    const ours = client();
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => ours.cancelOrder(id)));
    expect(most).to.equal(1);
    expect(requests()).to.deep.equal(['a', 'b', 'c', 'd'].map((id) => `DELETE /api/orders/${id}`));
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.deep.equal(['backtest-1', 'backtest-2', 'backtest-3', 'backtest-4']);
  });

  it('a market’s pulses come every two seconds', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 3_000 }, { atMs: START + 6_000 }]);
    backtest.serve(server, (response, seen) => {
      const seq = backtest.nowMs < START + 3_000 ? 4 : 6;
      const market = { id: 'm', probability: 0.4, seq, status: 'active', title: 'M' };
      json(200, market, { ...backtest.time, 'x-journal-seq': String(seq) })(response, seen);
    });
    const pulses: unknown[] = [];
    // None comes at the end, at which nothing can be done any more.
    for await (const { markets, seq, ts } of client().watchPulse({ marketIds: ['m'] })) {
      pulses.push([ts, seq, markets[0]]);
    }
    const entry = { id: 'm', probability: 0.4, status: 'active' };
    expect(JSON.parse(JSON.stringify(pulses))).to.deep.equal([
      [isoAt(2), 4, { ...entry, seq: 4 }],
      [isoAt(4), 6, { ...entry, seq: 6 }],
    ]);
  });

  it('a market’s book comes when it changes, after the trades that changed it', async () => {
    const wakes = ['book'] as const;
    const moments = [1_000, 3_000].map((ms) => ({ atMs: START + ms, wakes }));
    const backtest = new ScriptedBacktest(START, [...moments, { atMs: START + 6_500 }]);
    backtest.serve(server, (response, seen) => {
      const trades = [6, 5, 4].map((seq) => ({ seq }));
      const book = { marketId: 'm', seq: backtest.nowMs < START + 3_000 ? 4 : 6 };
      json(200, seen.request.includes('/trades/') ? trades : book, backtest.time)(response, seen);
    });
    const changes: unknown[] = [];
    for await (const { seq, type } of client().watchOrderBook('m')) changes.push([type, seq, backtest.nowMs - START]);
    expect(changes).to.deep.equal([
      ['snapshot', 4, 0],
      ['trade', 5, 3_000],
      ['trade', 6, 3_000],
      ['snapshot', 6, 3_000],
    ]);
  });

  it('a market’s book comes at each change of one moment, in which other participants trade later', async () => {
    const change = { atMs: START + 1_000, wakes: ['book'] as const };
    const backtest = new ScriptedBacktest(START, [change, change, { atMs: START + 6_500 }]);
    backtest.serve(server, (response, seen) => {
      const book = { marketId: 'm', seq: Math.min(6, 4 + backtest.advances.length) };
      json(200, seen.request.includes('/trades/') ? [] : book, backtest.time)(response, seen);
    });
    const changes: unknown[] = [];
    for await (const { seq } of client().watchOrderBook('m')) changes.push([seq, backtest.nowMs - START]);
    expect(changes).to.deep.equal([
      [4, 0],
      [5, 1_000],
      [6, 1_000],
    ]);
    expect(backtest.advances).to.have.length(3);
  });

  it('a market’s stream reads nothing while the clock waits for other participants', async () => {
    const clock = { now: isoAt(0), ended: false, waiting: true, events: [], more: false };
    const book = { marketId: 'm', seq: 4 };
    const late = [1, 2].map((seconds) => json(200, clock, { 'x-time': isoAt(seconds) }));
    const end = json(200, { ...clock, ended: true, waiting: false });
    const [read, now] = [json(200, book), json(200, clock, { 'x-time': isoAt(0) })];
    // A book that was given is read once more before the wait, since its reader may have taken its time.
    server.script = [now, read, read, ...late, end, read];
    for await (const { seq } of client().watchOrderBook('m')) expect(seq).to.equal(4);
    const paths = requests().map((request) => request.replace(/^\w+ \/api\/|\?.*$/g, ''));
    const advances = Array.from({ length: 3 }, () => 'clock/advance');
    expect(paths).to.deep.equal(['clock', 'orderbook/m', 'orderbook/m', ...advances, 'orderbook/m']);
  });

  it('a stream that is left advances no more', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 1_000, wakes: ['account'], events: [cash(1)] }]);
    backtest.serve(server);
    for await (const _event of client().watchAccount()) break;
    expect(backtest.advances).to.have.length(2);
  });

  it('a refusal of the clock is thrown to all that wait', async () => {
    server.script = [
      json(200, { now: isoAt(0) }, { 'x-time': isoAt(0) }),
      json(403, { error: 'late', code: 'left_out' }),
    ];
    const ours = client();
    await ours.now();
    const errors = await Promise.all([failure(ours.sleep(1_000)), failure(ours.sleep(2_000))]);
    for (const error of errors) expect(error).to.include({ status: 403, code: 'left_out' });
  });

  it('a bot that sleeps by the wall clock is warned once', async () => {
    const backtest = new ScriptedBacktest(START, [{ atMs: START + 9_000 }]);
    backtest.serve(server);
    const output: Pick<Console, 'warn'> = console;
    const { warn } = output;
    const real = performance.now.bind(performance);
    const warnings: string[] = [];
    let slept = 0;
    output.warn = (text: string) => void warnings.push(text);
    performance.now = () => real() + slept;
    try {
      const ours = client();
      await ours.fetchHealth();
      await ours.fetchHealth();
      expect(warnings).to.deep.equal([]);
      for (const _ of [1, 2]) {
        slept += 1_500;
        await ours.fetchHealth();
      }
    } finally {
      output.warn = warn;
      performance.now = real;
    }
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/sleep\(\) or every\(\)/);
  });
});
