import { expect } from 'chai';
import { eventually } from '@paper/testkit';
import { createBacktestReport } from '../../src/report/backtest-report.ts';
import { at, buy, runBacktest } from './running-backtest.ts';
import type { RunningBacktest } from './running-backtest.ts';

const advance = '/api/clock/advance';
const BOOK = '/api/orderbook/made-news';

describe('a backtest', function () {
  this.timeout(60_000);
  let backtest: RunningBacktest;

  afterEach(() => backtest.stop());

  it('plays its tape while one participant trades by the API, to its end', async () => {
    backtest = await runBacktest();
    const { accounts, call } = backtest;
    const first = await call(0, 'GET', '/api/clock');
    expect(first.body).to.deep.equal({ now: '2026-01-05T15:00:00.015Z', waitingFor: accounts, ended: false });
    expect((await call(0, 'GET', '/api/me')).body).to.deep.include({ accountId: accounts[0] });

    const moved = await call(0, 'POST', advance, { until: at(20), wake: [] });
    expect(moved.body).to.deep.equal({ now: at(20), ended: false, waiting: false, events: [], more: false });
    expect(moved.headers).to.include({ 'x-time': at(20) });
    const order = await call(0, 'POST', '/api/orders', buy(5));
    expect(order.body).to.deep.include({ status: 'filled', filledQty: 5, createdAt: at(20) });
    const { body: portfolio } = await call(0, 'GET', '/api/portfolio');
    expect((portfolio['positions'] as unknown[]).length).to.equal(1);

    // Of what it did itself it is told, and not woken.
    let woken = await call(0, 'POST', advance);
    while (woken.body['waiting'] === true) woken = await call(0, 'POST', advance);
    expect((woken.body['events'] as { type: string }[]).map(({ type }) => type)).to.deep.equal([
      ...['order', 'cash', 'fill'],
      ...['cash', 'settled'],
    ]);
    expect(woken.body).to.deep.include({ now: at(3_600), ended: true });

    const refused = await call(0, 'POST', '/api/orders', buy(5));
    expect([refused.status, refused.body['code']]).to.deep.equal([400, 'backtest_ended']);
    expect((await call(0, 'GET', '/api/portfolio')).status).to.equal(200);
    expect(backtest.messages.at(-1)).to.include({ state: 'ended', clock: at(3_600), why: null });
    expect(backtest.record()).to.deep.include({
      end: { at: at(3_600), why: null },
      leftOut: [],
      participants: accounts,
    });
    const { body: page } = await call(null, 'GET', '/api/journal?limit=5');
    expect(page['text']).to.equal(
      backtest
        .journal()
        .slice(0, 5)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
  });

  it('shows the moment that was played to who reads without a key, too', async () => {
    backtest = await runBacktest({ to: at(30) });
    const { call } = backtest;
    for (let seconds = 1; seconds < 30; seconds += 1) {
      await call(0, 'POST', advance, { until: at(seconds), wake: [] });
      const [open, keyed] = [await call(null, 'GET', BOOK), await call(0, 'GET', BOOK)];
      expect(open.body, at(seconds)).to.deep.equal(keyed.body);
    }
  });

  it('ranks participants alone, also where they start with as much money as the accounts that play the tape', async () => {
    backtest = await runBacktest({ startingBalance: 10_000_000, to: at(5) });
    const { call } = backtest;
    await call(0, 'POST', '/api/orders', buy(5));
    const { body } = await call(0, 'GET', '/api/leaderboard');
    const ranked = JSON.parse(String(body['text'])) as { displayName: string }[];
    expect(ranked.map(({ displayName }) => displayName)).to.deep.equal(['Participant 1']);
  });

  it('stops an advance at 1,000 events of the account, and repeats its answer by an Idempotency-Key', async () => {
    backtest = await runBacktest({ to: at(30) });
    const { call } = backtest;
    const orders = Array.from({ length: 50 }, () => ({ ...buy(1), orderType: 'limit', price: 0.02 }));
    for (let batch = 0; batch < 11; batch += 1) await call(0, 'POST', '/api/orders/batch', { orders });
    await call(0, 'DELETE', '/api/orders');
    const key = { 'idempotency-key': 'one' };
    const full = await call(0, 'POST', advance, { until: at(20) }, key);
    expect(full.body).to.deep.include({ now: '2026-01-05T15:00:00.015Z', more: true });
    expect(full.body['events']).to.have.length(1_000);
    const repeated = await call(0, 'POST', advance, { until: at(20) }, key);
    expect(repeated.body).to.deep.equal(full.body);
    expect([full, repeated].map(({ headers }) => headers['idempotent-replayed'])).to.deep.equal([undefined, 'true']);
    const rest = await call(0, 'POST', advance, { until: at(20) });
    expect(rest.body).to.deep.include({ now: at(20), more: false });
    expect(rest.body['events']).to.have.length(100);
  });

  it('shows the last four characters of the key that a participant was given', async () => {
    backtest = await runBacktest({ to: at(30) });
    const { body } = await backtest.call(0, 'GET', '/api/accounts/keys');
    const [shown] = body['keys'] as { readonly last4: string }[];
    const [given] = backtest.messages.flatMap(({ keys = [] }) => keys);
    expect(given).to.match(/^svc_live_[\w-]{43}$/);
    expect(shown?.last4).to.equal(given?.slice(-4));
  });

  it('serves nobody else: neither by a key that follows from the seed, nor as an operator', async () => {
    backtest = await runBacktest({ to: at(30) });
    const { call } = backtest;
    expect((await call('svc_live_unknown', 'GET', '/api/me')).status).to.equal(401);
    expect((await call(null, 'GET', '/api/me')).status).to.equal(401);
    expect((await call(0, 'POST', '/api/operator/accounts', {})).status).to.equal(404);
    expect((await call(null, 'GET', '/api/markets')).headers).to.include({ 'x-time': '2026-01-05T15:00:00.015Z' });
  });

  it('gives the same journal each time, whatever is read or refused on the way; another seed gives another', async () => {
    const hashes: string[] = [];
    for (const [run, seed] of [1, 1, 2].entries()) {
      backtest = await runBacktest({ seed, to: at(120) });
      const { call } = backtest;
      await call(0, 'POST', advance, { until: at(30), wake: [] });
      if (run === 1) {
        await call(0, 'GET', '/api/portfolio');
        expect((await call(0, 'POST', '/api/orders', { ...buy(5), marketId: 'none' })).status).to.equal(400);
        await call(0, 'POST', '/api/orders/preview', buy(5));
      }
      await call(0, 'POST', '/api/orders', buy(7));
      const { body: opened } = await call(0, 'POST', '/api/accounts/sub', { displayName: 'Second' });
      const { rawKey } = opened['apiKey'] as { rawKey: string };
      const keyed = () => call(rawKey, 'POST', '/api/orders', buy(3), { 'idempotency-key': 'once' });
      expect((await keyed()).status).to.equal(200);
      if (run === 1) expect((await keyed()).headers).to.include({ 'idempotent-replayed': 'true' });
      await call(0, 'POST', advance, { until: at(60), wake: [] });
      if (run === 1) await call(0, 'GET', '/api/portfolio');
      await call(0, 'POST', advance, { until: at(90), wake: [] });
      if (run === 1) {
        expect((await call(0, 'POST', '/api/orders', { ...buy(5), marketId: 'none' })).status).to.equal(400);
        await call(0, 'POST', '/api/orders/preview', buy(5));
        await call(0, 'DELETE', '/api/orders');
      }
      while ((await call(0, 'POST', advance)).body['ended'] !== true);
      hashes.push(backtest.journal().at(-1)?.hash ?? '');
      if (run < 2) await backtest.stop();
    }
    expect(hashes[1]).to.equal(hashes[0]);
    expect(hashes[2]).to.not.equal(hashes[0]);
  });

  it('lets participants take turns, and wakes them when something happens', async () => {
    backtest = await runBacktest({ participants: 2 });
    const { accounts, call } = backtest;
    const second = call(1, 'POST', '/api/orders', buy(1));
    expect((await call(0, 'POST', '/api/orders', buy(1))).status).to.equal(200);
    const first = call(0, 'POST', advance, { until: at(60), wake: ['trades'] });
    const { body: order } = await second;
    expect(order).to.deep.include({ status: 'filled' });
    expect((await call(1, 'GET', '/api/clock')).body['waitingFor']).to.deep.equal([accounts[1]]);
    const other = call(1, 'POST', advance, { until: at(90), wake: [] });
    // The second one's trade of the same moment wakes the first at its end.
    expect((await first).body).to.deep.include({ now: '2026-01-05T15:00:00.015Z' });
    const again = await call(0, 'POST', advance, { until: at(60), wake: [] });
    expect(again.body).to.deep.include({ now: at(60) });
    void call(0, 'POST', advance);
    expect((await other).body).to.deep.include({ now: at(90) });
  });

  it('decides a command as late as it arrives', async () => {
    backtest = await runBacktest({ latencyMs: 700 });
    const { call } = backtest;
    await call(0, 'POST', advance, { until: at(10), wake: [] });
    const { body, headers } = await call(0, 'POST', '/api/orders', buy(1));
    const late = new Date(Date.parse(at(10)) + 700).toISOString();
    expect([body['createdAt'], headers['x-time']]).to.deep.equal([late, late]);
    expect((await call(0, 'GET', '/api/clock')).body).to.deep.include({ now: late });
  });

  it('streams what happens, while the participant that watches goes on', async () => {
    backtest = await runBacktest();
    const { accounts, call, stream } = backtest;
    const own = await stream(0, '/api/stream/account');
    const book = await stream(0, '/api/stream/orderbook/made-news');
    expect([own.statusCode, book.statusCode]).to.deep.equal([200, 200]);
    const [told, seen] = [own, book].map((one) => {
      let text = '';
      one.setEncoding('utf8').on('data', (part: string) => (text += part));
      return () => text;
    });
    expect((await call(0, 'POST', '/api/orders', buy(1))).status).to.equal(200);
    await eventually('its fill', () => told?.().includes('"type":"fill"') === true);
    const { body } = await call(0, 'POST', advance, { until: at(600), wake: ['book'] });
    await eventually('the change of the book', () => seen?.().includes(String(body['now'])) === true);
    expect(told?.()).to.include(accounts[0]);
    own.destroy();
    book.destroy();
  });

  it('repeats the last answer of advance to its Idempotency-Key', async () => {
    backtest = await runBacktest();
    const { call } = backtest;
    await call(0, 'POST', '/api/orders', buy(1));
    const send = (key: string) => call(0, 'POST', advance, { until: at(5), wake: [] }, { 'idempotency-key': key });
    const first = await send('a');
    expect((first.body['events'] as unknown[]).length).to.be.greaterThan(0);
    expect((await send('a')).body).to.deep.equal(first.body);
    expect((await send('b')).body).to.deep.equal({ ...first.body, events: [] });
  });

  it('answers advances of one participant in their order, each with what came since the one before', async () => {
    backtest = await runBacktest();
    const { call } = backtest;
    const send = (key: string, seconds: number) =>
      call(0, 'POST', advance, { until: at(seconds), wake: [] }, { 'idempotency-key': key });
    await call(0, 'POST', '/api/orders', buy(1));
    const [first, second] = await Promise.all([send('a', 5), send('b', 10)]);
    expect([first.body['now'], second.body['now']]).to.deep.equal([at(5), at(10)]);
    expect((first.body['events'] as unknown[]).length).to.be.greaterThan(0);
    expect(second.body['events']).to.deep.equal([]);
    // Each is known by its own key, and by the body that came with it.
    expect([(await send('a', 5)).body, (await send('b', 10)).body]).to.deep.equal([first.body, second.body]);
    const other = await send('a', 20);
    expect([other.status, other.body['code']]).to.deep.equal([400, 'idempotency_conflict']);
    expect((await call(0, 'GET', '/api/clock')).body).to.deep.include({ now: at(10) });
  });

  it('keeps the advances of an account and of its sub-accounts apart', async () => {
    backtest = await runBacktest();
    const { call } = backtest;
    const { body: opened } = await call(0, 'POST', '/api/accounts/sub', { displayName: 'Second' });
    const { rawKey } = opened['apiKey'] as { rawKey: string };
    await call(0, 'POST', '/api/orders', buy(1));
    const key = { 'idempotency-key': 'one' };
    const own = await call(0, 'POST', advance, { until: at(5), wake: [] }, key);
    expect((own.body['events'] as unknown[]).length).to.be.greaterThan(0);
    const of = await call(rawKey, 'POST', advance, { until: at(5), wake: [] }, key);
    expect([of.body['events'], of.headers['idempotent-replayed']]).to.deep.equal([[], undefined]);
  });

  it('gives the next call the answer that a client did not wait for', async () => {
    backtest = await runBacktest({ participants: 2 });
    const { accounts, begin, call } = backtest;
    await call(0, 'POST', '/api/orders', buy(1));
    const leaving = begin(0, 'POST', advance, { until: at(5), wake: [] }).on('error', () => undefined);
    const waitedFor = async () => (await call(1, 'GET', '/api/clock')).body['waitingFor'];
    await eventually('the clock waits for the other one', async () => String(await waitedFor()) === accounts[1]);
    leaving.destroy();
    const again = call(0, 'POST', advance, { until: at(5), wake: [] });
    await call(1, 'POST', advance, { until: at(5), wake: [] });
    const { body } = await again;
    expect(body['now']).to.equal(at(5));
    expect((body['events'] as unknown[]).length).to.be.greaterThan(0);
  });

  it('shows market events as late as they arrive, and reads as they are', async () => {
    backtest = await runBacktest({ feedLatencyMs: 2_500 });
    const { call, stream } = backtest;
    await call(0, 'POST', advance, { until: at(10), wake: [] });
    const own = await stream(0, '/api/stream/account');
    let told = '';
    own.setEncoding('utf8').on('data', (part: string) => (told += part));
    await call(0, 'POST', '/api/orders', buy(1));
    expect((await call(0, 'GET', '/api/portfolio')).body['positions']).to.have.length(1);
    const before = await call(0, 'POST', advance, { until: at(12), wake: ['account'] });
    expect(before.body).to.deep.include({ events: [], now: at(12) });
    expect(told).to.not.include('"type":"fill"');
    const then = await call(0, 'POST', advance, { until: at(20), wake: ['account'] });
    expect(then.body['now']).to.equal(at(12.5));
    expect(then.body['events']).to.have.length(3);
    await eventually('the stream shows the fill', () => told.includes('"type":"fill"'));
    own.destroy();
  });

  it('counts the sub-accounts of a participant as part of it', async () => {
    backtest = await runBacktest({ to: at(60) });
    const { accounts, call } = backtest;
    const { body: opened } = await call(0, 'POST', '/api/accounts/sub', { displayName: 'Second' });
    const { rawKey } = opened['apiKey'] as { rawKey: string };
    await call(0, 'POST', advance, { until: at(10), wake: [] });
    const bought = (await call(0, 'POST', '/api/orders', buy(5))).body;
    const ofSub = (await call(rawKey, 'POST', '/api/orders', buy(3))).body;
    expect((await call(rawKey, 'POST', advance, { until: at(10), fleet: true })).status).to.equal(403);
    const own = await call(0, 'POST', advance, { until: at(10) });
    const rest = await call(0, 'POST', advance, { until: at(10), fleet: true });
    const owners = [own, rest].map(({ body }) => [
      ...new Set((body['events'] as { accountId: string }[]).map(({ accountId }) => accountId)),
    ]);
    expect(owners[0]).to.deep.equal([accounts[0]]);
    expect(owners[1]).to.have.length(1);
    expect(owners[1]).to.not.include(accounts[0]);
    while ((await call(0, 'POST', advance)).body['ended'] !== true);
    const { fleetSummary } = (await call(0, 'GET', '/api/portfolio')).body as Record<string, unknown>;
    const [figures] = (await createBacktestReport(backtest.options.folder, { partial: false })).participants;
    const { total } = fleetSummary as { total: { pnl: number; portfolioValue: number } };
    expect(figures?.pnl).to.equal(total.pnl);
    expect(figures?.return).to.be.closeTo(total.pnl / backtest.options.settings.startingBalance, 0.000_000_6);
    expect(figures?.equity.at(-1)?.equity).to.equal(total.portfolioValue);
    const orders = new Set(figures?.fills.map(({ orderId }) => orderId));
    expect([...orders]).to.deep.equal([bought['id'], ofSub['id']]);
    const paid = figures?.fills.reduce((sum, { price, quantity }) => sum + price * quantity, 0) ?? 0;
    expect(figures?.turnover).to.be.closeTo(paid, 1e-9);
  });

  it('shows boards as of the newest event, and never by the wall clock', async () => {
    backtest = await runBacktest({ to: at(60) });
    const { call } = backtest;
    for (const until of [10, 20]) {
      await call(0, 'POST', advance, { until: at(until), wake: [] });
      await call(0, 'POST', '/api/orders', buy(5));
      const [leaderboard, signals, portfolio] = [
        await call(0, 'GET', '/api/leaderboard'),
        await call(0, 'GET', '/api/markets/signals'),
        await call(0, 'GET', '/api/portfolio'),
      ];
      const seqs = [leaderboard, signals, portfolio].map(({ headers }) => headers['x-journal-seq']);
      expect(new Set(seqs)).to.have.length(1);
      const board = JSON.parse(String(leaderboard.body['text'])) as { displayName: string }[];
      const { portfolioValue } = portfolio.body['summary'] as { portfolioValue: number };
      expect(board.find(({ displayName }) => displayName === 'Participant 1')).to.deep.include({ portfolioValue });
    }
  });

  it('ends with the reason where its process takes more than 300 MB', async () => {
    backtest = await runBacktest({}, undefined, () => 301 * 1024 * 1024);
    await eventually('the end', () => backtest.messages.at(-1)?.state === 'ended');
    expect(backtest.record().end?.why).to.equal('it took more than 300 MB of memory');
  });

  it('cancels the orders of who is left out also where it has revoked its key', async () => {
    backtest = await runBacktest({ participants: 2, patienceSeconds: 2, to: at(60) });
    const { call } = backtest;
    expect((await call(0, 'POST', '/api/orders', { ...buy(2), orderType: 'limit', price: 0.01 })).status).to.equal(200);
    const { body: list } = await call(0, 'GET', '/api/accounts/keys');
    const [own] = list['keys'] as { readonly id: string }[];
    expect((await call(0, 'DELETE', `/api/accounts/keys/${own?.id}`)).status).to.equal(200);
    await call(1, 'POST', advance, { until: at(5), wake: [] });
    const { body: book } = await call(1, 'GET', BOOK);
    const cancelled = backtest.journal().filter(({ type }) => type === 'OrderCancelled');
    expect(cancelled.filter(({ publicText }) => publicText.includes('"priceUnits":100,'))).to.have.length(1);
    expect(JSON.stringify(book)).not.to.include('"price":0.01,');
  });

  it('leaves out who does not call, and cancels its orders', async () => {
    backtest = await runBacktest({ participants: 2, patienceSeconds: 2, to: at(60) });
    const { accounts, call } = backtest;
    const resting = { ...buy(2), orderType: 'limit', price: 0.01 };
    expect((await call(0, 'POST', '/api/orders', resting)).body).to.deep.include({ status: 'open' });
    const { body } = await call(1, 'POST', advance, { until: at(5), wake: [] });
    expect(body).to.deep.include({ now: at(5) });
    const refused = await call(0, 'GET', '/api/portfolio');
    expect([refused.status, refused.body['code']]).to.deep.equal([403, 'left_out']);
    // At once: it has no turn to wait for.
    expect((await call(1, 'GET', '/api/clock')).body['waitingFor']).to.deep.equal([accounts[1]]);
    const asked = await call(0, 'GET', '/api/clock', undefined, { 'x-request-id': 'mine' });
    expect(Object.keys(asked.headers)).to.include.members([...EVERYWHERE, 'x-time']);
    expect(asked.headers).to.include({ 'x-request-id': 'mine' });
    expect(backtest.record().leftOut[0]).to.deep.equal({ accountId: accounts[0], at: '2026-01-05T15:00:00.015Z' });
    expect(backtest.journal().filter(({ type }) => type === 'OrderCancelled')).to.have.length.greaterThan(0);
    while ((await call(1, 'POST', advance)).body['ended'] !== true);
    const ended = await call(1, 'POST', '/api/orders', buy(1));
    expect([ended.status, ended.body['code']]).to.deep.equal([400, 'backtest_ended']);
    const unknown = await call('svc_live_unknown', 'GET', '/api/portfolio');
    expect(unknown.status).to.equal(401);
    for (const { headers } of [ended, unknown]) {
      expect(Object.keys(headers)).to.include.members([...EVERYWHERE, 'x-time']);
    }
  });
});

/** Headers of every answer of the API. */
const EVERYWHERE = ['access-control-allow-origin', 'content-security-policy', 'x-request-id'];
