import { Refused } from '@paper/contracts';
import type { Untimed } from '@paper/exchange/commands';
import { expect } from 'chai';
import { JournalDamaged } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { CANNOT_READ_JOURNAL } from '../src/writer/load.ts';
import {
  requestFor,
  buy,
  codeOf,
  commandsIn,
  listMarket,
  openAccount,
  serving,
  writerHarness,
  typesIn,
} from './writer-harness.ts';
import type { WriterHarness } from './writer-harness.ts';
import { createFaultyJournal, meanwhile, turn, until } from '@paper/testkit';
import type { Fault } from '@paper/testkit';

type Plan = (batch: readonly StoredEvent[]) => Fault | null;

/** A writer harness with a market and an account, whose journal then fails as planned. */
async function failing(): Promise<WriterHarness & { plan: (plan: Plan) => void }> {
  let plan: Plan = () => null;
  const harness = writerHarness({ journal: (inner) => createFaultyJournal(inner, (_attempt, batch) => plan(batch)) });
  await harness.writer.start();
  await harness.submit(listMarket('m'));
  await harness.submit(openAccount('ada'));
  return {
    ...harness,
    plan: (next) => {
      plan = next;
    },
  };
}

/** Plans these faults in turn, then none. */
function first(...faults: readonly Fault[]): Plan {
  const left = [...faults];
  return () => left.shift() ?? null;
}

const holds = (batch: readonly StoredEvent[], text: string) => batch.some((event) => event.publicText.includes(text));

/** The command with a market that is read when it is decided. */
const whenDecided = (command: Untimed, marketId: () => string): Untimed =>
  Object.defineProperty({ ...command }, 'marketId', { enumerable: true, get: marketId });

describe('an append of unknown outcome', () => {
  for (const fault of ['lost', 'unanswered'] as const) {
    it(`is sent again until it is known (${fault})`, async () => {
      const harness = await failing();
      const batches: (readonly StoredEvent[])[] = [];
      const faults = first(fault, fault, fault);
      harness.plan((batch) => {
        batches.push([...batch]);
        return faults(batch);
      });
      const result = await meanwhile(harness.clock, harness.submit(buy('ada', 'm')));
      expect(result.value.kind).to.equal('accepted');
      expect(harness.resent).to.deep.equal([1, 2, 3]);
      expect(batches.length).to.equal(4);
      for (const batch of batches) expect(batch).to.deep.equal(batches[0]);
      expect(typesIn(harness.log)).to.deep.equal([
        'WriterEpochStarted',
        'MarketListed',
        'AccountOpened',
        'ApiKeyIssued',
        'OrderPlaced',
      ]);
      expect(harness.alarms).to.deep.equal([]);
    });
  }

  it('is sent again beyond the 5 s after which who waits is answered 503', async () => {
    const harness = await failing();
    let broken = true;
    harness.plan(() => (broken ? 'lost' : null));
    expect(await meanwhile(harness.clock, codeOf(harness.submit(buy('ada', 'm'))))).to.equal('unavailable');
    harness.clock.advance(60_000);
    broken = false;
    const after = harness.submit(buy('ada', 'm'));
    expect((await meanwhile(harness.clock, after)).seq).to.equal(6);
    expect(typesIn(harness.log).filter((type) => type === 'OrderPlaced').length).to.equal(2);
  });

  it('holds a bounded number of answers, however long it takes and however many are refused meanwhile', async () => {
    let broken = false;
    const harness = await serving(['ada'], {
      capacity: 20,
      journal: (inner) => createFaultyJournal(inner, () => (broken ? 'lost' : null)),
    });
    broken = true;
    let result = 0;
    const [lane, refused, answer] = requestFor(buy('ada', 'nowhere'));
    const counted = whenDecided(refused, () => {
      result += 1;
      return 'nowhere';
    });
    const inFlight = codeOf(harness.submit(buy('ada', 'm')));
    for (let minutes = 0; minutes < 10; minutes += 1) {
      const answers = Array.from({ length: 10 }, () => codeOf(harness.writer.submit(lane, counted, answer)));
      await turn();
      harness.clock.advance(60_000);
      expect(await Promise.all(answers)).to.deep.equal(Array(10).fill('unavailable'));
    }
    expect(await inFlight).to.equal('unavailable');
    expect(result).to.be.lessThan(30);
    broken = false;
    expect(await meanwhile(harness.clock, codeOf(harness.submit(buy('ada', 'nowhere'))))).to.equal('market_not_found');
    expect(harness.alarms).to.deep.equal([]);
  });

  it('alarms, and is treated alike, where the error is one that the port does not name', async () => {
    const harness = writerHarness({
      journal: (inner) => {
        let attempts = 0;
        return {
          ...inner,
          append: (expected, batch) => {
            attempts += 1;
            return attempts === 2 ? Promise.reject(new TypeError('a bug')) : inner.append(expected, batch);
          },
        };
      },
    });
    await harness.writer.start();
    await meanwhile(harness.clock, harness.submit(listMarket('m')));
    expect(harness.alarms).to.deep.equal(['the journal failed in a way that its port does not name']);
    expect(typesIn(harness.log)).to.deep.equal(['WriterEpochStarted', 'MarketListed']);
  });
});

describe('a fenced writer', () => {
  it('answers all that wait 503, takes no more, and says so', async () => {
    const harness = await failing();
    harness.plan(first('fenced'));
    const orders = Array.from({ length: 5 }, () => codeOf(harness.submit(buy('ada', 'm'))));
    expect(await Promise.all(orders)).to.deep.equal(Array(5).fill('unavailable'));
    expect(harness.fenced.length).to.equal(1);
    expect(harness.writer.state).to.equal(null);
    expect(harness.writer.serving).to.equal(false);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('unavailable');
    expect(typesIn(harness.log)).to.not.include('OrderPlaced');
  });

  it('is fenced by a real second writer on the same journal', async () => {
    const harness = await failing();
    const other = writerHarness({ log: harness.log });
    await other.writer.start();
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('unavailable');
    expect(harness.fenced.length).to.equal(1);
    expect(await codeOf(other.submit(buy('ada', 'm')))).to.equal('ok');
  });
});

describe('a refused append', () => {
  it('costs only the command that cannot be stored: 500, an alarm, and everyone else is answered', async () => {
    const harness = await failing();
    harness.plan((batch) => (holds(batch, '"poison"') ? 'refused' : null));
    const commands = [buy('ada', 'm'), listMarket('a'), listMarket('poison'), listMarket('b'), buy('ada', 'nowhere')];
    const codes = await Promise.all(commands.map((command) => codeOf(harness.submit(command))));
    expect(codes).to.deep.equal(['ok', 'ok', 'internal', 'ok', 'market_not_found']);
    expect(harness.alarms).to.deep.equal([
      'the journal refused a batch; its commands are tried one by one',
      'the journal refused a command by itself',
    ]);
    expect(typesIn(harness.log).slice(4)).to.deep.equal(['OrderPlaced', 'MarketListed', 'MarketListed']);
    expect(await codeOf(harness.submit(buy('ada', 'poison')))).to.equal('market_not_found');
  });

  it('is none where an earlier sending of the batch had arrived', async () => {
    const harness = await failing();
    harness.plan(first('unanswered', 'refused'));
    const result = await meanwhile(harness.clock, harness.submit(buy('ada', 'm')));
    expect(result.value.kind).to.equal('accepted');
    expect(typesIn(harness.log).filter((type) => type === 'OrderPlaced').length).to.equal(1);
    expect(harness.alarms).to.deep.equal([]);
  });

  it('decides again in the order in which they came', async () => {
    const harness = await failing();
    harness.plan(first('refused'));
    const names = Array.from({ length: 20 }, (_, n) => `m-${n}`);
    await Promise.all(names.map((name) => harness.submit(listMarket(name))));
    const listed = commandsIn(harness.log).flatMap((command) =>
      command.type === 'ListMarket' ? command.marketId : [],
    );
    expect(listed).to.deep.equal(['m', ...names]);
  });

  it('decides again what rests on the refused batch', async () => {
    const harness = await failing();
    let held: ((fault: Fault | null) => void) | null = null;
    const plan = new Promise<Fault | null>((resolve) => (held = resolve));
    const slow = writerHarness({
      journal: (inner) => createFaultyJournal(inner, (attempt) => (attempt === 2 ? plan : null)),
      log: harness.log,
    });
    await slow.writer.start();
    const listing = slow.submit(listMarket('late'));
    await until('the listing is in flight', () => held !== null && slow.writer.status().queueDepth === 0);
    const order = slow.submit(buy('ada', 'late'));
    (held as ((fault: Fault | null) => void) | null)?.('refused');
    expect((await listing).value.kind).to.equal('accepted');
    expect((await order).value.kind).to.equal('accepted');
    expect(typesIn(slow.log).slice(-2)).to.deep.equal(['MarketListed', 'OrderPlaced']);
  });

  it("ends where the reload finds another writer's epoch, and decides nothing on what that one wrote", async () => {
    let answerAppend: (fault: Fault | null) => void = () => undefined;
    const held = new Promise<Fault | null>((resolve) => (answerAppend = resolve));
    const harness = writerHarness({
      journal: (inner) => createFaultyJournal(inner, (attempt) => (attempt === 2 ? held : null)),
    });
    await harness.writer.start();
    const listing = codeOf(harness.submit(listMarket('m')));
    await until('the listing is in flight', () => harness.writer.status().queueDepth === 0);
    const other = writerHarness({ log: harness.log });
    await other.writer.start();
    answerAppend('refused');
    expect(await listing).to.equal('unavailable');
    expect(harness.fenced.map(String)).to.deep.equal(["Error: the journal is in epoch 2, this writer's is 1"]);
    expect(harness.writer.serving).to.equal(false);
    expect(typesIn(harness.log)).to.deep.equal(['WriterEpochStarted', 'WriterEpochStarted']);
  });

  it('goes on when the journal cannot be read at first', async () => {
    let failures = 0;
    const plan = first();
    const harness = writerHarness({
      journal: (inner) => {
        const faulty = createFaultyJournal(inner, (attempt, batch) => (attempt === 2 ? 'refused' : plan(batch)));
        let reads = 0;
        return {
          ...faulty,
          read: (from, limit) => {
            reads += 1;
            if (reads < 2 || reads > 4) return faulty.read(from, limit);
            failures += 1;
            return Promise.reject(new Error('no connection'));
          },
        };
      },
    });
    await harness.writer.start();
    expect(await meanwhile(harness.clock, codeOf(harness.submit(listMarket('m'))))).to.equal('ok');
    expect(failures).to.equal(3);
    expect(typesIn(harness.log)).to.deep.equal(['WriterEpochStarted', 'MarketListed']);
  });
});

describe('a start of a writer', () => {
  /** A writer whose journal gives these errors at its first reads. */
  const startWith = (...errors: readonly Error[]) => {
    const left = [...errors];
    const harness = writerHarness({
      journal: (inner) => ({
        ...inner,
        read: (from, limit) => {
          const error = left.shift();
          return error === undefined ? inner.read(from, limit) : Promise.reject(error);
        },
      }),
    });
    return { harness, started: meanwhile(harness.clock, harness.writer.start()) };
  };

  it('waits for a journal that is away: the process ended', async () => {
    const away = new Error('Connection terminated unexpectedly');
    const { harness, started } = startWith(away, away, away);
    await started;
    expect(harness.alarms).to.deep.equal(Array.from({ length: 3 }, () => CANNOT_READ_JOURNAL));
    expect(typesIn(harness.log)).to.deep.equal(['WriterEpochStarted']);
  });

  it('does not wait for one that is damaged', async () => {
    const damaged = new JournalDamaged('sequence 1 cannot be read', 1);
    const { harness, started } = startWith(damaged);
    expect(await started.catch((error: unknown) => error)).to.equal(damaged);
    expect(harness.alarms).to.deep.equal([]);
  });
});

describe('a bug in a decision', () => {
  it('is a 500 and an alarm where deciding throws, and harms no other command', async () => {
    const harness = await failing();
    const [lane, command, answer] = requestFor(listMarket('n'));
    const poisoned = whenDecided(command, () => {
      throw new Error('a bug');
    });
    const broken = harness.writer.submit(lane, poisoned, answer);
    const order = harness.submit(buy('ada', 'm'));
    expect(await codeOf(broken)).to.equal('internal');
    expect(await codeOf(order)).to.equal('ok');
    expect(harness.alarms).to.deep.equal(['a decision threw']);
  });

  it('is a 500 where the decision cannot be laid down; the memory is read again, and nothing of it is left', async () => {
    const harness = await failing();
    const before = harness.submit(buy('ada', 'm'));
    // A lone surrogate has no canonical text; requests with one are refused long before.
    const broken = codeOf(harness.submit({ ...listMarket('broken'), title: '\ud800' }));
    const after = codeOf(harness.submit(buy('ada', 'broken')));
    expect((await before).value.kind).to.equal('accepted');
    expect(await broken).to.equal('internal');
    expect(await after).to.equal('market_not_found');
    expect(harness.alarms).to.deep.equal(['an accepted decision could not be applied']);
  });

  it('is a 500 where the answer cannot be made; what was decided stands', async () => {
    const harness = await failing();
    const [lane, command] = requestFor(buy('ada', 'm'));
    const broken = harness.writer.submit(lane, command, () => {
      throw new Error('a bug');
    });
    expect(await codeOf(broken)).to.equal('internal');
    expect(typesIn(harness.log).at(-1)).to.equal('OrderPlaced');
    expect(harness.alarms).to.deep.equal(['an answer could not be made']);
  });

  it('alarmed of an answer that is a refusal, which is no fault', async () => {
    const harness = await failing();
    const [lane, command] = requestFor(buy('ada', 'm'));
    const refused = harness.writer.submit(lane, command, () => {
      throw new Refused('forbidden', 'Forbidden');
    });
    expect(await codeOf(refused)).to.equal('forbidden');
    expect(harness.alarms).to.deep.equal([]);
  });
});
