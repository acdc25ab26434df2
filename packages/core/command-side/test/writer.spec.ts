import { expect } from 'chai';
import { createMemoryLog } from '@paper/journal';
import { BATCH_CAP_BYTES } from '../src/writer/append.ts';
import { TrustedClock } from '../src/writer/trusted-clock.ts';
import {
  requestFor,
  buy,
  codeOf,
  commandsIn,
  gate,
  listMarket,
  serving,
  writerHarness,
  typesIn,
} from './writer-harness.ts';
import type { WriterHarnessOptions } from './writer-harness.ts';
import { FakeClock, meanwhile, turn, until } from '@paper/testkit';

describe('the writer', () => {
  it('begins an epoch before it serves, and takes nothing before', async () => {
    const harness = writerHarness();
    expect(await codeOf(harness.submit(listMarket('m')))).to.equal('unavailable');
    expect(harness.writer.serving).to.equal(false);
    await harness.writer.start();
    expect(harness.writer.serving).to.equal(true);
    expect(typesIn(harness.log)).to.deep.equal(['WriterEpochStarted']);
    expect(harness.writer.status()).to.deep.equal({ epoch: 1, journalSeq: 1, queueDepth: 0 });
  });

  it('goes on from the journal of the writer before it', async () => {
    const log = createMemoryLog();
    const first = await serving(['ada'], { log });
    const placed = await first.submit(buy('ada', 'm'));
    await first.writer.stop(1);
    const second = writerHarness({ log });
    await second.writer.start();
    expect(second.writer.status()).to.deep.equal({ epoch: 2, journalSeq: placed.seq + 1, queueDepth: 0 });
    expect((await second.submit(buy('ada', 'm'))).value.kind).to.equal('accepted');
  });

  it('answers nothing before the append is acknowledged', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    let answered = 0;
    const order = harness.submit(buy('ada', 'm')).then(() => (answered += 1));
    await until('the append is in flight', () => gated.waiting() === 1);
    for (let n = 0; n < 20; n += 1) await turn();
    expect(answered).to.equal(0);
    gated.release();
    await order;
    expect(answered).to.equal(1);
  });

  it('holds back refusals, repeats and unknown orders too, until what they rest on is durable', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    const answers: string[] = [];
    const note = (name: string, work: Promise<unknown>) => codeOf(work).then((code) => answers.push(`${name} ${code}`));
    const all = [
      note('listing', harness.submit(listMarket('n'))),
      note('same listing', harness.submit(listMarket('n'))),
      note('refused order', harness.submit(buy('ada', 'nowhere'))),
      note('cancel', harness.submit({ by: buy('ada', 'm').by, orderId: 'gone', type: 'CancelOrder' })),
    ];
    await until('the append is in flight', () => gated.waiting() === 1);
    for (let n = 0; n < 20; n += 1) await turn();
    expect(answers).to.deep.equal([]);
    gated.release();
    await Promise.all(all);
    expect(answers).to.deep.equal(['listing ok', 'same listing ok', 'refused order market_not_found', 'cancel ok']);
  });

  it('answers a refusal at once where everything is durable', async () => {
    const harness = await serving(['ada']);
    expect(await codeOf(harness.submit(buy('ada', 'nowhere')))).to.equal('market_not_found');
    expect(harness.log.events.length).to.equal(4);
  });

  it('makes one batch of all that is decided during an append', async () => {
    const gated = gate();
    const harness = await serving(['ada', 'bob'], { journal: gated.journal });
    gated.hold();
    const first = harness.submit(buy('ada', 'm'));
    await until('the first is in flight', () => gated.waiting() === 1);
    const rest = Array.from({ length: 10 }, (_, n) => harness.submit(buy(n % 2 === 0 ? 'ada' : 'bob', 'm')));
    await turn();
    harness.batches.length = 0;
    gated.release();
    await Promise.all([first, ...rest]);
    expect(harness.batches).to.deep.equal([1, 10]);
  });

  it('decides no further than a batch has room, and splits no decision', async () => {
    const gated = gate();
    const harness = await serving([], { journal: gated.journal });
    const long = (n: number) => ({ ...listMarket(`long-${n}`), description: 'x'.repeat(10_000) });
    gated.hold();
    const all = Array.from({ length: 120 }, (_, n) => harness.submit(long(n)));
    await until('a batch is in flight', () => gated.waiting() === 1);
    expect(harness.writer.status().queueDepth).to.be.greaterThan(20);
    harness.batches.length = 0;
    gated.release();
    await Promise.all(all);
    expect(harness.batches.reduce((sum, events) => sum + events, 0)).to.equal(120);
    // A listing of this size counts about 20,800 bytes: its text is in the event and in its command.
    for (const events of harness.batches) expect(events * 20_000).to.be.lessThan(BATCH_CAP_BYTES + 20_000);
  });

  it('takes turns between accounts when they have to wait', async () => {
    const gated = gate();
    const harness = await serving(['ada', 'bob'], { journal: gated.journal, slice: 1 });
    const markets = Array.from({ length: 10 }, (_, n) => buy('ada', `none-${n}`));
    const order: string[] = [];
    // With a slice of one decision per turn, all of ada's commands are queued before bob's arrives.
    const flood = markets.map((command) => codeOf(harness.submit(command)).then(() => order.push('ada')));
    const bob = codeOf(harness.submit(buy('bob', 'none'))).then(() => order.push('bob'));
    await Promise.all([...flood, bob]);
    expect(order.indexOf('bob')).to.be.lessThan(3);
  });

  it('refuses the 65th command of an account that waits, not those of others', async () => {
    const harness = await serving(['ada', 'bob'], { slice: 1 });
    const flood = Array.from({ length: 66 }, () => codeOf(harness.submit(buy('ada', 'm'))));
    const bob = codeOf(harness.submit(buy('bob', 'm')));
    const codes = await Promise.all(flood);
    // The first one is decided at once, 64 wait.
    expect(codes.filter((code) => code === 'ok').length).to.equal(65);
    expect(codes[65]).to.equal('rate_limited');
    expect(await bob).to.equal('ok');
  });

  it('refuses what is over its capacity', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { capacity: 3, journal: gated.journal });
    gated.hold();
    const codes = Array.from({ length: 5 }, () => codeOf(harness.submit(buy('ada', 'm'))));
    gated.release();
    expect(await Promise.all(codes)).to.deep.equal(['ok', 'ok', 'ok', 'unavailable', 'unavailable']);
  });

  it('lets the event loop go on between slices', async () => {
    const harness = await serving([], { slice: 10 });
    let turns = 0;
    const answered = { count: 0 };
    for (let n = 0; n < 100; n += 1) void harness.submit(listMarket(`m-${n}`)).then(() => (answered.count += 1));
    while (answered.count < 100) {
      await turn();
      turns += 1;
    }
    expect(turns).to.be.greaterThan(8);
  });

  it('answers 503 after 5 s, and not before', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    let code = 'none';
    const order = codeOf(harness.submit(buy('ada', 'm'))).then((got) => (code = got));
    await until('the append is in flight', () => gated.waiting() === 1);
    harness.clock.advance(4_999);
    await turn();
    expect(code).to.equal('none');
    harness.clock.advance(1);
    await order;
    expect(code).to.equal('unavailable');
    const before = harness.log.events.length;
    gated.release();
    await until('it is durable all the same', () => harness.log.events.length === before + 1);
  });

  it('never decides what expired while it waited', async () => {
    const gated = gate();
    const harness = await serving([], { journal: gated.journal });
    const long = (n: number) => ({ ...listMarket(`long-${n}`), description: 'x'.repeat(10_000) });
    gated.hold();
    const all = Array.from({ length: 200 }, (_, n) => codeOf(harness.submit(long(n))));
    await until('a batch is in flight', () => gated.waiting() === 1);
    const result = harness.writer.status().queueDepth;
    harness.clock.advance(5_000);
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set(['unavailable']));
    expect(harness.writer.status().queueDepth).to.equal(0);
    gated.release();
    await harness.writer.stop(1_000);
    expect(commandsIn(harness.log).length).to.equal(2 + 200 - result);
  });

  describe('whose wall clock jumps while it reads the journal before its epoch', () => {
    /** A writer that has read the journal to its end and waits for its clock to be trusted. */
    const waiting = async (options: WriterHarnessOptions = {}) => {
      const log = createMemoryLog();
      let reads = 0;
      const harness = writerHarness({
        ...options,
        journal: (inner) => ({
          ...inner,
          read: (from, limit) => {
            reads += 1;
            if (reads === 1) harness.clock.jump(3_600_000);
            return inner.read(from, limit);
          },
        }),
        log,
      });
      const started = codeOf(harness.writer.start());
      await until('it has read', () => reads === 1);
      // Far more looks than there are attempts.
      for (let seconds = 0; seconds < 20; seconds += 1) {
        harness.clock.advance(1_000);
        await turn();
      }
      expect([log.events, harness.alarms.length]).to.deep.equal([[], 1]);
      return { ...harness, started, reads: () => reads };
    };

    it('waits until it is trusted, reads on, and begins', async () => {
      const other = writerHarness();
      const harness = await waiting();
      await other.writer.start();
      harness.log.events.push(...other.log.events);
      harness.clock.jump(-3_600_000);
      expect(await meanwhile(harness.clock, harness.started)).to.equal('ok');
      expect(harness.reads()).to.equal(2);
      expect(harness.writer.status()).to.include({ epoch: 2, journalSeq: 2 });
      expect(harness.alarms).to.have.length(1);
    });

    it('waits again where it jumps again, however often', async () => {
      const harness = writerHarness({
        journal: (inner) => ({
          ...inner,
          read: (from, limit) => {
            if (harness.alarms.length < 11) harness.clock.jump(3_600_000);
            return inner.read(from, limit);
          },
        }),
      });
      const started = codeOf(harness.writer.start());
      for (let jumps = 1; jumps <= 11; jumps += 1) {
        await until('it is not trusted', () => harness.alarms.length === jumps);
        harness.clock.jump(-3_600_000);
        await turn();
        harness.clock.advance(1_000);
      }
      expect(await started).to.equal('ok');
    });

    it('begins none where it leads no more by then', async () => {
      let leads = true;
      const harness = await waiting({ leads: () => leads });
      leads = false;
      harness.clock.jump(-3_600_000);
      expect(await meanwhile(harness.clock, harness.started)).to.include('the lease ran out');
      expect(harness.log.events).to.deep.equal([]);
    });

    it('can be stopped', async () => {
      const harness = await waiting();
      await harness.writer.stop(1_000);
      expect(await meanwhile(harness.clock, harness.started)).to.include('this one has ended');
    });
  });

  it('stops deciding while the wall clock is more than 60 s off, and goes on when it is back', async () => {
    const harness = await serving(['ada']);
    harness.clock.jump(60_000);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('ok');
    harness.clock.jump(-60_001);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('unavailable');
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('unavailable');
    expect(harness.alarms).to.deep.equal(['the wall clock jumped; commands are refused until it is trusted again']);
    expect(harness.writer.serving).to.equal(false);
    harness.clock.jump(60_001);
    expect(harness.writer.serving).to.equal(true);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('ok');
  });

  it('keeps nothing of what it refuses while the wall clock is not trusted', async () => {
    const waiting = new Set<() => void>();
    class Watched extends TrustedClock {
      override onceTrusted(work: () => void): void {
        waiting.add(work);
        super.onceTrusted(work);
      }
    }
    const clock = new FakeClock();
    const observer = { alarm: () => undefined, noted: () => undefined };
    const harness = await serving(['ada'], { trustedClock: new Watched({ clock, observer }), clock });
    clock.jump(3_600_000);
    for (let count = 0; count < 1_000; count += 1) {
      expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('unavailable');
    }
    expect(waiting.size).to.equal(1);
  });

  it('answers what is under way when it stops, and takes no more', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    const order = codeOf(harness.submit(buy('ada', 'm')));
    const stopped = harness.writer.stop(1_000);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('unavailable');
    await until('the append is in flight', () => gated.waiting() === 1);
    gated.release();
    expect(await order).to.equal('ok');
    await stopped;
  });

  it('stops at once when it never started', async () => {
    const harness = writerHarness();
    await harness.writer.stop(1_000);
    expect(await codeOf(harness.writer.start())).to.match(/this one has ended/);
    expect(harness.log.events.length).to.equal(0);
  });

  it('gives up on what does not end in time when it stops', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    const order = codeOf(harness.submit(buy('ada', 'm')));
    await until('the append is in flight', () => gated.waiting() === 1);
    const stopped = harness.writer.stop(1_000);
    harness.clock.advance(1_000);
    await stopped;
    expect(await order).to.equal('unavailable');
  });

  it('tells the answer the state right after its own decision', async () => {
    const harness = await serving([]);
    const seen: number[] = [];
    const result = ['a', 'b', 'c'].map((id) => {
      const [lane, command] = requestFor(listMarket(id));
      return harness.writer.submit(lane, command, (_decision, state) => seen.push(state.seq));
    });
    const seqs = (await Promise.all(result)).map(({ seq }) => seq);
    expect(seqs).to.deep.equal([3, 4, 5]);
    expect(seen).to.deep.equal([3, 4, 5]);
  });
});
