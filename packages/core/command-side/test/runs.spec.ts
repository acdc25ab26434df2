import { expect } from 'chai';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import { createMemoryLog } from '@paper/journal';
import type { MemoryLog, StoredEvent } from '@paper/journal';
import { Runs } from '../src/writer/runs.ts';
import {
  buy,
  codeOf,
  gate,
  listMarket,
  openAccount,
  operator,
  serving,
  writerHarness,
  typesIn,
} from './writer-harness.ts';
import type { WriterHarness } from './writer-harness.ts';
import { createFaultyJournal, FakeClock, meanwhile, until } from '@paper/testkit';
import type { Fault } from '@paper/testkit';

const settings = { ...DEFAULT_SETTINGS, runChunk: 3 };
const resolve = {
  by: operator,
  citationUrl: null,
  headline: null,
  marketId: 'm',
  outcome: 'yes',
  source: null,
  type: 'ResolveMarket',
} as const;
const close = { by: operator, marketId: 'm', type: 'CloseMarket' } as const;

/** A writer harness where ada has ten orders resting in m and one in n, and runs go on in chunks of three. */
async function withOrders(options: Parameters<typeof writerHarness>[0] = {}): Promise<WriterHarness> {
  const harness = await serving(['ada'], { settings, ...options });
  await harness.submit(listMarket('n'));
  await harness.submit(buy('ada', 'n'));
  for (let n = 0; n < 10; n += 1) await harness.submit(buy('ada', 'm', 1_000 + n));
  return harness;
}

const continuesRun = (batch: readonly StoredEvent[]) =>
  batch.some((event) => event.publicText.includes('"ContinueRun"'));
const count = (log: MemoryLog, type: string) => typesIn(log).filter((other) => other === type).length;

describe('runs', () => {
  it('answers who resolves when the market is settled, once, and again the same', async () => {
    const harness = await withOrders();
    const [first, again] = await Promise.all([harness.submit(resolve), harness.submit(resolve)]);
    expect(typesIn(harness.log).at(-1)).to.equal('MarketSettled');
    expect(count(harness.log, 'OrderCancelled')).to.equal(10);
    expect(count(harness.log, 'MarketResolved')).to.equal(1);
    expect([first.value.kind, again.value.kind]).to.deep.equal(['accepted', 'unchanged']);
    expect(first.seq).to.equal(harness.log.events.length);
    expect((await harness.submit(resolve)).value.kind).to.equal('unchanged');
    expect(await codeOf(harness.submit({ ...resolve, outcome: 'no' }))).to.equal('market_already_resolved');
  });

  it('lets others take turns with a run', async () => {
    const harness = await withOrders({ slice: 1 });
    const settled = harness.submit(resolve);
    const order = harness.submit(buy('ada', 'n'));
    await Promise.all([settled, order]);
    const types = typesIn(harness.log);
    expect(types.lastIndexOf('OrderPlaced')).to.be.greaterThan(types.indexOf('MarketResolved'));
    expect(types.lastIndexOf('OrderPlaced')).to.be.lessThan(types.lastIndexOf('OrderCancelled'));
  });

  it('goes on, before it serves, with a run that a crash cut', async () => {
    const log = createMemoryLog();
    const gated = gate();
    const crashed = await withOrders({ journal: gated.journal, log, slice: 1 });
    gated.hold();
    void codeOf(crashed.submit(resolve));
    await until('the resolution is in flight', () => gated.waiting() === 1);
    const behind = crashed.batches.length;
    gated.release();
    gated.hold();
    await until('a part of the run is durable', () => crashed.batches.length > behind);
    // From here on the first writer gets no answer, as if its process had been killed.
    const cut = count(log, 'OrderCancelled');
    expect(cut).to.be.lessThan(10);
    const second = writerHarness({ log, settings });
    await second.writer.start();
    expect(count(log, 'OrderCancelled')).to.equal(10);
    expect(typesIn(log).at(-1)).to.equal('MarketSettled');
    expect((await second.submit(resolve)).value.kind).to.equal('unchanged');
    expect(count(log, 'MarketSettled')).to.equal(1);
  });

  it('keeps who waits for a run when a piece of it is refused once', async () => {
    let refuse = 0;
    const harness = await withOrders({
      journal: (inner) =>
        createFaultyJournal(inner, (_attempt, batch): Fault | null => {
          if (!continuesRun(batch)) return null;
          refuse += 1;
          return refuse === 1 ? 'refused' : null;
        }),
    });
    const settled = await harness.submit(resolve);
    expect(refuse).to.be.greaterThan(1);
    expect(settled.value.kind).to.equal('accepted');
    expect(settled.seq).to.equal(harness.log.events.length);
    expect(count(harness.log, 'OrderCancelled')).to.equal(10);
    expect(count(harness.log, 'MarketSettled')).to.equal(1);
  });

  for (const refusedPiece of [1, 2, 3, 4]) {
    it(`tells who began a run that it was he, not that he repeats it, where piece ${refusedPiece} is refused`, async () => {
      let pieces = 0;
      const harness = await withOrders({
        // A batch holds one decision, so that each piece is refused by itself.
        slice: 1,
        journal: (inner) =>
          createFaultyJournal(inner, (_attempt, batch): Fault | null =>
            continuesRun(batch) && (pieces += 1) === refusedPiece ? 'refused' : null,
          ),
      });
      const [first, other] = await Promise.all([
        harness.submit({ ...resolve, idempotency: { fingerprint: 'f', key: 'k' } }),
        harness.submit({ ...resolve, idempotency: { fingerprint: 'f', key: 'k' } }),
      ]);
      expect(pieces).to.be.greaterThan(refusedPiece);
      expect([first.value.kind, first.replayed]).to.deep.equal(['accepted', false]);
      expect([other.value.kind, other.replayed]).to.deep.equal(['replayed', true]);
      expect(count(harness.log, 'MarketSettled')).to.equal(1);
    });
  }

  it('tells who finds it done by another, when it is decided again, not that he did it: what he did is not stored', async () => {
    let pieces = 0;
    const harness = await withOrders({
      // The capacity is just large enough that the second close is under way when further commands are refused.
      capacity: 12,
      journal: (inner) =>
        createFaultyJournal(inner, (_attempt, batch): Fault | null =>
          continuesRun(batch) && [1, 4].includes((pieces += 1)) ? 'refused' : null,
        ),
    });
    await harness.submit(openAccount('bob'));
    // With fewer orders the first close is soon done, and the market opens again.
    const filled = harness.submit({ ...buy('bob', 'm', 9_000, 4), outcome: 'no' });
    const first = harness.submit(close);
    const others = [filled, harness.submit({ by: operator, marketId: 'm', type: 'ActivateMarket' })];
    for (let n = 0; n < 7; n += 1) others.push(harness.submit(buy('ada', 'm', 1_000)));
    const second = harness.submit(close);
    expect(await Promise.all(others.map(codeOf))).to.deep.equal(Array(9).fill('market_not_active'));
    expect([(await first).value.kind, (await second).value.kind]).to.deep.equal(['unchanged', 'accepted']);
    expect(harness.alarms).to.deep.equal(
      Array(2).fill('the journal refused a batch; its commands are tried one by one'),
    );
    expect([count(harness.log, 'MarketClosed'), count(harness.log, 'OrderCancelled')]).to.deep.equal([1, 10]);
  });

  it('leaves a run alone whose next piece cannot be stored, tells who waits, and serves on', async () => {
    const harness = await withOrders({
      journal: (inner) => createFaultyJournal(inner, (_attempt, batch) => (continuesRun(batch) ? 'refused' : null)),
    });
    expect(await codeOf(harness.submit(resolve))).to.equal('internal');
    expect(harness.alarms).to.include('the journal refused a command by itself');
    expect(count(harness.log, 'MarketResolved')).to.equal(1);
    expect(await codeOf(harness.submit(buy('ada', 'n')))).to.equal('ok');
    expect(await codeOf(harness.submit(resolve))).to.equal('internal');
    await harness.writer.stop(1_000);
  });

  it('forgets a run whose beginning could not be stored: a stop does not wait for it', async () => {
    const harness = await withOrders({
      journal: (inner) =>
        createFaultyJournal(inner, (_attempt, batch) =>
          batch.some(({ type }) => type === 'MarketResolved') ? 'refused' : null,
        ),
    });
    expect(await codeOf(harness.submit(resolve))).to.equal('internal');
    // The clock stands still, so the stop ends only if nothing has to be waited for.
    await harness.writer.stop(1_000);
    expect(count(harness.log, 'MarketResolved')).to.equal(0);
  });

  it('answers who waits for a run 503 after five seconds, though the run moves on', async () => {
    const clock = new FakeClock();
    const harness = await withOrders({
      clock,
      // A batch holds one decision, and each takes two seconds.
      slice: 1,
      journal: (inner) => ({
        ...inner,
        append: async (expected, batch) => {
          await inner.append(expected, batch);
          if (continuesRun(batch)) clock.advance(2_000);
        },
      }),
    });
    const begunMs = clock.monotonic();
    expect((await harness.submit(resolve)).value.kind).to.equal('accepted');
    expect(clock.monotonic() - begunMs).to.be.greaterThan(5_000);
  });

  it('goes on once the clock is trusted again, and commands that wait meanwhile are answered 503', async () => {
    const harness = await withOrders({ slice: 1 });
    const settled = harness.submit(resolve);
    await until('the run is under way', () => count(harness.log, 'MarketResolved') === 1);
    const waiting = [openAccount('bob'), openAccount('cy'), buy('ada', 'n')].map((each) =>
      codeOf(harness.submit(each)),
    );
    harness.clock.jump(3_600_000);
    expect(await Promise.all(waiting)).to.deep.equal(Array(3).fill('unavailable'));
    expect(count(harness.log, 'MarketSettled')).to.equal(0);
    harness.clock.jump(-3_600_000);
    expect(await codeOf(harness.submit(openAccount('dan')))).to.equal('ok');
    expect((await meanwhile(harness.clock, settled)).value.kind).to.equal('accepted');
    expect([count(harness.log, 'MarketSettled'), count(harness.log, 'OrderCancelled')]).to.deep.equal([1, 10]);
  });

  it('is under way until it ends or is stuck, with one next piece in the queue at most', () => {
    const runs = new Runs();
    expect(runs.none).to.equal(true);
    expect([runs.claimNext('m'), runs.claimNext('m'), runs.claimNext('n'), runs.none]).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
    runs.releaseNext('m');
    expect([runs.claimNext('m'), runs.claimNext('m')]).to.deep.equal([true, false]);
    runs.markStuck('m');
    runs.releaseNext('m');
    expect([runs.isStuck('m'), runs.claimNext('m'), runs.none]).to.deep.equal([true, false, false]);
    runs.end('n');
    expect(runs.none).to.equal(true);
    runs.retain([]);
    expect(runs.isStuck('m')).to.equal(false);
  });

  it('is done with closing when no order rests any more', async () => {
    const harness = await withOrders();
    await harness.submit(close);
    expect(count(harness.log, 'OrderCancelled')).to.equal(10);
    expect((await harness.submit(close)).value.kind).to.equal('unchanged');
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('market_not_active');
  });
});

describe('the closing of an account', () => {
  const closeAccount = { accountId: 'ada', by: operator, type: 'CloseAccount' } as const;

  it('is answered when all keys and orders are ended, and again the same', async () => {
    const harness = await withOrders();
    const [first, again] = await Promise.all([harness.submit(closeAccount), harness.submit(closeAccount)]);
    expect([first.value.kind, again.value.kind]).to.deep.equal(['accepted', 'unchanged']);
    expect([count(harness.log, 'OrderCancelled'), count(harness.log, 'ApiKeyRevoked')]).to.deep.equal([11, 1]);
    expect(first.seq).to.equal(harness.log.events.length);
    expect((await harness.submit(closeAccount)).value.kind).to.equal('unchanged');
    expect(await codeOf(harness.submit(buy('ada', 'n')))).to.equal('not_authenticated');
  });

  it('lets others take turns, and runs beside that of a market', async () => {
    const harness = await withOrders({ slice: 1 });
    await harness.submit(openAccount('bob'));
    const [closed, settled] = [harness.submit(closeAccount), harness.submit(resolve)];
    await harness.submit(buy('bob', 'n'));
    await Promise.all([closed, settled]);
    const types = typesIn(harness.log);
    expect(types.lastIndexOf('OrderPlaced')).to.be.lessThan(types.lastIndexOf('OrderCancelled'));
    expect(harness.writer.state!.closings.size + harness.writer.state!.runs.size).to.equal(0);
  });

  it('goes on, before it serves, where a crash cut it', async () => {
    const log = createMemoryLog();
    const gated = gate();
    const crashed = await withOrders({ journal: gated.journal, log, slice: 1 });
    gated.hold();
    void codeOf(crashed.submit(closeAccount));
    await until('the closing is in flight', () => gated.waiting() === 1);
    const behind = crashed.batches.length;
    gated.release();
    gated.hold();
    await until('a part of it is durable', () => crashed.batches.length > behind);
    // From here on the first writer gets no answer, as if its process had been killed.
    expect(count(log, 'OrderCancelled')).to.be.lessThan(11);
    const next = writerHarness({ log, settings });
    await next.writer.start();
    expect(count(log, 'OrderCancelled')).to.equal(11);
    expect((await next.submit(closeAccount)).value.kind).to.equal('unchanged');
    expect(count(log, 'AccountClosed')).to.equal(1);
  });
});
