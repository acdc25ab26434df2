import { Refused } from '@paper/contracts';
import type { Decision } from '@paper/exchange';
import type { Untimed } from '@paper/exchange/commands';
import { createFaultyJournal, meanwhile, until } from '@paper/testkit';
import type { Fault } from '@paper/testkit';
import { expect } from 'chai';
import { accountLane } from '../src/writer/pending-command.ts';
import type { ItemResult } from '../src/writer/pending-sequence.ts';
import {
  buy,
  codeOf,
  commandsIn,
  gate,
  listMarket,
  openAccount,
  requestFor,
  serving,
  writerHarness,
} from './writer-harness.ts';
import type { TestCommand, WriterHarness } from './writer-harness.ts';

/** Submits these commands of ada as one sequence. */
function inSequence(
  { writer }: WriterHarness,
  commands: readonly TestCommand[],
): Promise<readonly ItemResult<Decision>[]> {
  const left: Untimed[] = commands.map((command) => requestFor(command)[1]);
  return writer.submitSequence(accountLane('ada', null), {
    answer: (decision) => decision,
    next: () => left.shift() ?? null,
  });
}

const bids = (account: string, ...prices: readonly number[]): TestCommand[] =>
  prices.map((priceUnits) => buy(account, 'm', priceUnits));

/** Who sent the orders of the journal, in their order. */
const senders = ({ log }: WriterHarness): readonly string[] =>
  commandsIn(log).flatMap((command) =>
    command.type === 'PlaceOrder' && command.by.kind === 'key' ? [command.by.accountId] : [],
  );

const outcomes = (results: readonly ItemResult<Decision>[]): readonly string[] =>
  results.map((result) => (result instanceof Refused ? result.code : result.value.kind));

describe('a sequence', () => {
  it('is decided in its order, each command by itself, and answered in that order', async () => {
    const harness = await serving(['ada']);
    const results = await inSequence(harness, bids('ada', 4_000, 3_000, 2_000));
    expect(outcomes(results)).to.deep.equal(['accepted', 'accepted', 'accepted']);
    const prices = commandsIn(harness.log).flatMap((command) =>
      command.type === 'PlaceOrder' ? [command.priceUnits] : [],
    );
    expect(prices).to.deep.equal([4_000, 3_000, 2_000]);
  });

  it('goes on where one of its commands is refused', async () => {
    const harness = await serving(['ada']);
    const results = await inSequence(harness, [
      ...bids('ada', 4_000),
      buy('ada', 'no such market'),
      ...bids('ada', 3_000),
    ]);
    expect(outcomes(results)).to.deep.equal(['accepted', 'market_not_found', 'accepted']);
    expect(senders(harness)).to.deep.equal(['ada', 'ada']);
  });

  it('lets commands of other fleets in between, and none of its own fleet', async () => {
    const harness = await serving(['ada', 'bob'], { slice: 1 });
    const work = [
      inSequence(harness, bids('ada', 4_000, 4_100, 4_200, 4_300)),
      harness.submit(buy('ada', 'm', 1_000)),
      harness.writer.submit(...requestFor(buy('ada', 'm', 1_100))),
      harness.submit(buy('bob', 'm', 2_000)),
      harness.submit(buy('bob', 'm', 2_100)),
    ];
    await Promise.all(work);
    const prices = commandsIn(harness.log).flatMap((command) =>
      command.type === 'PlaceOrder' ? [command.priceUnits ?? 0] : [],
    );
    expect(prices.filter((price) => price >= 4_000 || price < 2_000)).to.deep.equal([
      4_000, 4_100, 4_200, 4_300, 1_000, 1_100,
    ]);
    expect(prices.indexOf(2_100)).to.be.lessThan(prices.indexOf(4_300));
  });

  it('is not answered before all of it is durable', async () => {
    const journal = gate();
    const harness = await serving(['ada'], { journal: journal.journal });
    journal.hold();
    let isAnswered = false;
    const work = inSequence(harness, bids('ada', 4_000, 3_000)).then((results) => {
      isAnswered = true;
      return results;
    });
    await until('the append is under way', () => journal.waiting() === 1);
    expect(isAnswered).to.equal(false);
    journal.release();
    expect(outcomes(await work)).to.deep.equal(['accepted', 'accepted']);
  });

  it('has 5 s from its last answered command on, not from its first', async () => {
    const journal = gate();
    // One decision a turn, so that the first command has an append of its own.
    const harness = await serving(['ada'], { journal: journal.journal, slice: 1 });
    journal.hold();
    const work = inSequence(harness, bids('ada', 4_000, 3_000, 2_000));
    await until('the first append is under way', () => journal.waiting() === 1);
    harness.clock.advance(4_000);
    journal.release();
    journal.hold();
    await until('the second append is under way', () => journal.waiting() === 1);
    harness.clock.advance(4_000);
    journal.release();
    expect(outcomes(await work)).to.deep.equal(['accepted', 'accepted', 'accepted']);
  });

  it('whose append is refused is decided again in its order, under the same ids, once', async () => {
    for (const fault of ['refused', 'lost', 'unanswered'] as const) {
      let plan: Fault | null = null;
      const harness = writerHarness({
        journal: (inner) =>
          createFaultyJournal(inner, () => {
            const now = plan;
            plan = null;
            return now;
          }),
      });
      await harness.writer.start();
      await harness.submit(listMarket('m'));
      await harness.submit(openAccount('ada'));
      plan = fault;
      const commands = bids('ada', 4_000, 3_000, 2_000);
      const ids: string[] = [];
      const left = commands.map((command) => requestFor(command)[1]);
      for (const { id } of left) ids.push(id);
      const work = harness.writer.submitSequence(accountLane('ada', null), {
        answer: (decision) => decision,
        next: () => left.shift() ?? null,
      });
      const later = harness.submit(buy('ada', 'm', 1_000));
      expect(outcomes(await meanwhile(harness.clock, work))).to.deep.equal(['accepted', 'accepted', 'accepted']);
      await meanwhile(harness.clock, later);
      const placed = commandsIn(harness.log).filter(({ type }) => type === 'PlaceOrder');
      expect(placed.slice(0, 3).map(({ id }) => id)).to.deep.equal(ids);
      expect(placed).to.have.length(4);
    }
  });

  it('takes one of the places in which the commands of an account wait', async () => {
    const journal = gate();
    const harness = await serving(['ada'], { journal: journal.journal, capacity: 1 });
    journal.hold();
    const first = harness.submit(buy('ada', 'm', 1_000));
    expect(await codeOf(inSequence(harness, bids('ada', 4_000)))).to.equal('unavailable');
    journal.release();
    await first;
    await inSequence(harness, bids('ada', ...Array<number>(200).fill(4_000)));
    expect(senders(harness)).to.have.length(201);
  });

  it('that nobody waits for any more is not gone on with', async () => {
    const journal = gate();
    const harness = await serving(['ada', 'bob'], { journal: journal.journal, slice: 1 });
    journal.hold();
    const left = bids('ada', 4_000, 3_000, 2_000).map((command) => requestFor(command)[1]);
    let made = 0;
    const work = harness.writer.submitSequence(accountLane('ada', null), {
      answer: (decision) => decision,
      next: () => {
        made += 1;
        if (made === 2) harness.clock.advance(6_000);
        return left.shift() ?? null;
      },
    });
    expect(await codeOf(work)).to.equal('unavailable');
    journal.release();
    await harness.submit(buy('bob', 'm', 1_000));
    expect(made).to.equal(2);
    expect((await harness.submit(buy('ada', 'm', 1_000))).value.kind).to.equal('accepted');
  });
});

describe('a preview', () => {
  it('shows what the order would do, and does nothing', async () => {
    const harness = await serving(['ada', 'bob']);
    await harness.submit(buy('bob', 'm', 6_000));
    const before = harness.log.events.length;
    const [lane, command, answer] = requestFor({ ...buy('ada', 'm', 4_500), outcome: 'no' });
    const preview = await harness.writer.preview(lane, command, answer);
    expect(preview).to.include({ changed: false, replayed: false, seq: before });
    expect(harness.log.events).to.have.length(before);
    const placed = await harness.writer.submit(lane, command, answer);
    expect(preview.value).to.deep.equal(placed.value);
  });

  it('is refused as the order would be', async () => {
    const { writer } = await serving(['ada']);
    const [lane, command, answer] = requestFor(buy('ada', 'no such market'));
    expect(await codeOf(writer.preview(lane, command, answer))).to.equal('market_not_found');
  });

  it('is not answered before what it rests on is durable', async () => {
    const journal = gate();
    const harness = await serving(['ada', 'bob'], { journal: journal.journal });
    journal.hold();
    const resting = harness.submit(buy('bob', 'm', 6_000));
    await until('the append is under way', () => journal.waiting() === 1);
    let isAnswered = false;
    const [lane, command, answer] = requestFor({ ...buy('ada', 'm', 4_500), outcome: 'no' });
    const preview = harness.writer.preview(lane, command, answer).then(() => (isAnswered = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).to.equal(false);
    journal.release();
    await Promise.all([resting, preview]);
  });
});
