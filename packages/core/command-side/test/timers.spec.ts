import { expect } from 'chai';
import { decode } from '@paper/journal';
import type { MemoryLog } from '@paper/journal';
import { createFaultyJournal, FakeClock, meanwhile, turn, until } from '@paper/testkit';
import type { Fault } from '@paper/testkit';
import { TrustedClock } from '../src/writer/trusted-clock.ts';
import {
  buy,
  codeOf,
  commandsIn,
  keyOf,
  listMarket,
  openAccount,
  operator,
  requestFor,
  serving,
  typesIn,
  writerHarness,
} from './writer-harness.ts';
import type { TestCommand, WriterHarness } from './writer-harness.ts';

/** Shorter than the alarm's longest sleep, so only an alarm that was set anew can be on time. */
const SOON_MS = 2_000;

const count = (log: MemoryLog, type: string): number => typesIn(log).filter((each) => each === type).length;

/** Lets time pass in steps, so that each due timer can have its effect. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.advance(Math.min(left, 1_000));
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
}

const expiring = (harness: WriterHarness, inMs: number, priceUnits = 4_000): TestCommand => ({
  ...buy('ada', 'm', priceUnits),
  expiresAt: harness.clock.now() + inMs,
});

const setSwitch = (accountId: string, seconds: number): TestCommand => ({
  by: keyOf(accountId),
  seconds,
  type: 'SetDeadManSwitch',
});

const reasonsIn = (log: MemoryLog): readonly string[] =>
  log.events.map(decode).flatMap(({ event }) => (event.type === 'OrderCancelled' ? [event.reason] : []));

describe('a closing time', () => {
  it('is decided at once where the writer is told to look, without its alarm', async () => {
    const { clock, log, submit, writer } = await serving(['ada']);
    await submit(listMarket('soon', clock.now() + 25_000));
    clock.jump(25_000);
    await writer.settled();
    expect(count(log, 'MarketClosed')).to.equal(1);
  });

  it('closes a market when it has come, not before, and no other market', async () => {
    const { clock, log, submit } = await serving(['ada']);
    await submit(listMarket('soon', clock.now() + 25_000));
    await pass(clock, 24_999);
    expect(count(log, 'MarketClosed')).to.equal(0);
    await pass(clock, 2);
    await until('it is closed', () => count(log, 'MarketClosed') === 1);
    expect(await codeOf(submit(buy('ada', 'soon')))).to.equal('market_not_active');
    expect(await codeOf(submit(buy('ada', 'm')))).to.equal('ok');
    await pass(clock, 100_000);
    expect(count(log, 'MarketClosed')).to.equal(1);
  });

  it('that an operator moves to a sooner time closes the market then', async () => {
    const { clock, log, submit } = await serving(['ada']);
    await submit(listMarket('later', clock.now() + 3_600_000));
    const closesAt = clock.now() + SOON_MS;
    const unchanged = { citationUrl: null, companyImpact: null, description: null, drivers: null, title: null };
    await submit({ ...unchanged, by: operator, closesAt, marketId: 'later', type: 'AmendMarket' });
    await pass(clock, SOON_MS + 1);
    expect(count(log, 'MarketClosed')).to.equal(1);
  });

  it('closes a market that is activated before it', async () => {
    const { clock, log, submit } = await serving(['ada']);
    await submit({ ...listMarket('planned', clock.now() + SOON_MS), phase: 'scheduled' });
    await submit({ by: operator, marketId: 'planned', type: 'ActivateMarket' });
    await pass(clock, SOON_MS + 1);
    expect(count(log, 'MarketClosed')).to.equal(1);
  });
});

describe('an order that expires', () => {
  it('is cancelled when its time has come, not before', async () => {
    const harness = await serving(['ada']);
    await harness.submit(expiring(harness, SOON_MS));
    await pass(harness.clock, SOON_MS - 1);
    expect(reasonsIn(harness.log)).to.deep.equal([]);
    await pass(harness.clock, 1);
    expect(reasonsIn(harness.log)).to.deep.equal(['expired']);
  });

  it('is cancelled before a command that comes in the millisecond in which it expires', async () => {
    const harness = await serving(['ada', 'bob']);
    await harness.submit(expiring(harness, SOON_MS));
    // Only the wall clock moves, so no alarm wakes the writer.
    harness.clock.jump(SOON_MS);
    const taken = await harness.submit({ ...buy('bob', 'm', 6_000), outcome: 'no', timeInForce: 'IOC' });
    expect(reasonsIn(harness.log)).to.deep.equal(['expired', 'no_liquidity']);
    expect(taken.value).to.have.property('kind', 'accepted');
  });

  it('is cancelled before a preview too', async () => {
    const harness = await serving(['ada', 'bob']);
    await harness.submit(expiring(harness, SOON_MS));
    harness.clock.jump(SOON_MS);
    const [lane, command] = requestFor({ ...buy('bob', 'm', 6_000), outcome: 'no' });
    const fills = await harness.writer.preview(lane, command, (decision) =>
      decision.kind === 'accepted' ? decision.events.filter(({ type }) => type === 'OrderFilled').length : -1,
    );
    expect(fills.value).to.equal(0);
    expect(reasonsIn(harness.log)).to.deep.equal(['expired']);
  });

  it('and fell due while nobody served is cancelled before the first command is decided', async () => {
    const former = await serving(['ada', 'bob']);
    for (let n = 0; n < 900; n += 1) await former.submit(expiring(former, SOON_MS + n));
    await former.writer.stop(0);
    former.clock.jump(60_000);
    const next = writerHarness({ clock: former.clock, log: former.log });
    await next.writer.start();
    await next.submit({ ...buy('bob', 'm', 6_000), outcome: 'no', timeInForce: 'IOC' });
    const types = commandsIn(next.log).map(({ type }) => type);
    expect(types.slice(types.lastIndexOf('StartWriterEpoch'))).to.deep.equal([
      'StartWriterEpoch',
      'ExpireOrders',
      'ExpireOrders',
      'ExpireOrders',
      'PlaceOrder',
    ]);
    expect(reasonsIn(next.log)).to.deep.equal([...Array<string>(900).fill('expired'), 'no_liquidity']);
  });

  it('is cancelled once, whatever becomes of the append', async () => {
    let plan: Fault | null = null;
    const harness = writerHarness({
      journal: (inner) =>
        createFaultyJournal(inner, () => {
          const fault = plan;
          plan = null;
          return fault;
        }),
    });
    await harness.writer.start();
    await harness.submit(listMarket('m'));
    await harness.submit(openAccount('ada'));
    for (const fault of ['refused', 'lost', 'unanswered'] as const) {
      await harness.submit(expiring(harness, SOON_MS));
      plan = fault;
      await pass(harness.clock, SOON_MS + 10_000);
    }
    await meanwhile(harness.clock, harness.submit(buy('ada', 'm')));
    expect(reasonsIn(harness.log)).to.deep.equal(['expired', 'expired', 'expired']);
  });

  it('waits while the clock is not trusted, and is cancelled once it is', async () => {
    const clock = new FakeClock();
    const trustedClock = new TrustedClock({
      clock,
      observer: { alarm: () => undefined, noted: () => undefined },
      reference: undefined,
    });
    const harness = writerHarness({ clock, trustedClock });
    await harness.writer.start();
    await harness.submit(listMarket('m'));
    await harness.submit(openAccount('ada'));
    await harness.submit(expiring(harness, SOON_MS));
    clock.jump(3_600_000);
    await pass(clock, 1_500);
    expect(reasonsIn(harness.log)).to.deep.equal([]);
    clock.jump(-3_600_000);
    await pass(clock, 60_000);
    expect(reasonsIn(harness.log)).to.deep.equal(['expired']);
  });
});

describe('a dead-man switch', () => {
  it('cancels all open orders of its account when it was not set again in time', async () => {
    const { clock, log, submit } = await serving(['ada', 'bob']);
    await submit(buy('ada', 'm', 3_000));
    await submit(buy('bob', 'm', 3_000));
    await submit(setSwitch('ada', 5));
    await pass(clock, 4_000);
    await submit(setSwitch('ada', 5));
    await pass(clock, 4_999);
    expect(reasonsIn(log)).to.deep.equal([]);
    await pass(clock, 1);
    expect(reasonsIn(log)).to.deep.equal(['dead_man_switch']);
    expect(typesIn(log).slice(-2)).to.deep.equal(['OrderCancelled', 'DeadManSwitchSet']);
    await pass(clock, 60_000);
    expect(typesIn(log).at(-1)).to.equal('DeadManSwitchSet');
  });

  it('with more orders than one decision cancels lets no other command in between', async () => {
    const { clock, log, submit } = await serving(['ada', 'bob']);
    for (let n = 0; n < 900; n += 1) await submit(buy('ada', 'm', 3_000));
    await submit(setSwitch('ada', 5));
    const before = commandsIn(log).length;
    clock.jump(5_000);
    await Promise.all([submit(buy('ada', 'm', 3_000)), submit(buy('bob', 'm', 3_000))]);
    const after = commandsIn(log).slice(before);
    expect(after.map(({ type }) => type)).to.deep.equal([
      'FireDeadManSwitch',
      'FireDeadManSwitch',
      'FireDeadManSwitch',
      'PlaceOrder',
      'PlaceOrder',
    ]);
    expect(reasonsIn(log)).to.have.length(900);
  });
});

describe('timers that are due while commands are retried', () => {
  it('are each decided in a batch of their own: one that cannot be stored stops neither others nor commands', async () => {
    const appended: string[][] = [];
    let refusesSwitches = false;
    const harness = await serving(['ada', 'bob'], {
      journal: (inner) =>
        createFaultyJournal(inner, (_attempt, batch) => {
          const types = batch.map(({ type }) => type);
          const refused = refusesSwitches && types.includes('DeadManSwitchSet');
          if (refusesSwitches && !refused) appended.push(types);
          return refused ? 'refused' : null;
        }),
    });
    const { clock, log, submit } = harness;
    await submit(listMarket('soon', clock.now() + 5_000));
    await submit(setSwitch('ada', 5));
    refusesSwitches = true;
    // Both timers and the order are decided together, and the journal refuses that batch.
    clock.jump(5_000);
    expect(await codeOf(meanwhile(clock, submit(buy('bob', 'm'))))).to.equal('ok');
    expect(appended).to.deep.equal([['MarketClosed'], ['OrderPlaced']]);
    expect(count(log, 'DeadManSwitchSet')).to.equal(1);
    refusesSwitches = false;
    await pass(clock, 2_000);
    expect(typesIn(log).at(-1)).to.equal('DeadManSwitchSet');
  });
});

describe('timers that are due together', () => {
  it('are decided by due time, then closings before expiries before switches', async () => {
    const harness = await serving(['ada', 'bob']);
    const { clock, log, submit } = harness;
    const begun = clock.now();
    await submit(listMarket('a', begun + 6_000));
    await submit(listMarket('b', begun + 5_000));
    await submit(setSwitch('bob', 6));
    await submit(setSwitch('ada', 5));
    await submit({ ...buy('ada', 'm'), expiresAt: begun + 6_000 });
    await submit({ ...buy('ada', 'm'), expiresAt: begun + 5_000 });
    const before = commandsIn(log).length;
    clock.jump(7_000);
    await submit(buy('bob', 'm'));
    const after = commandsIn(log)
      .slice(before)
      .map((command) =>
        command.type === 'CloseMarket'
          ? `close ${command.marketId}`
          : command.type === 'FireDeadManSwitch'
            ? `fire ${command.accountId}`
            : command.type,
      );
    expect(after).to.deep.equal(['close b', 'ExpireOrders', 'fire ada', 'close a', 'fire bob', 'PlaceOrder']);
  });
});
