import { expect } from 'chai';
import { Refused } from '@paper/contracts';
import type { Journal } from '@paper/journal';
import {
  requestFor,
  buy,
  codeOf,
  gate,
  listMarket,
  openAccount,
  serving,
  writerHarness,
  typesIn,
} from '../writer-harness.ts';
import { createFaultyJournal, meanwhile, turn, until } from '@paper/testkit';

/** A lease whose holding the test switches on and off. */
function leaseOf() {
  let held = true;
  return { leads: () => held, hold: () => (held = true), lose: () => (held = false) };
}

describe('a writer that does not know whether it still leads', () => {
  it('takes no commands, and continues once it leads for certain', async () => {
    const lease = leaseOf();
    const harness = await serving(['ada'], { leads: lease.leads });
    lease.lose();
    expect(harness.writer.serving).to.equal(false);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('unavailable');
    expect(await codeOf(harness.submit(buy('ada', 'nowhere')))).to.equal('unavailable');
    expect(typesIn(harness.log)).to.not.include('OrderPlaced');
    lease.hold();
    expect(harness.writer.serving).to.equal(true);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('ok');
    expect(harness.fenced).to.deep.equal([]);
  });

  it('gives the answers that the journal has acknowledged, and none that rests on its memory', async () => {
    const lease = leaseOf();
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal, leads: lease.leads });
    const repeated = { ...buy('ada', 'm'), idempotency: { fingerprint: 'f', key: 'k' } };
    await harness.submit(repeated);
    gated.hold();
    const accepted = codeOf(harness.submit(buy('ada', 'm')));
    const refused = codeOf(harness.submit(buy('ada', 'nowhere')));
    const unchanged = codeOf(harness.submit(listMarket('m')));
    const unknown = codeOf(harness.submit({ by: buy('ada', 'm').by, orderId: 'gone', type: 'CancelOrder' }));
    const replayed = codeOf(harness.submit(repeated));
    const answer = (): never => {
      throw new Refused('not_found', 'there is no such order');
    };
    const [lane, command] = requestFor(listMarket('m'));
    const unanswerable = codeOf(harness.writer.submit(lane, command, answer));
    await until('the append is in flight', () => gated.waiting() === 1);
    lease.lose();
    gated.release();
    expect(await accepted).to.equal('ok');
    for (const unproven of [refused, unchanged, unknown, replayed, unanswerable]) {
      expect(await unproven).to.equal('unavailable');
    }
  });

  it('answers no refusal that was decided before it was stopped in the middle', async () => {
    let asked = 0;
    // The process leads when the command arrives, and no longer leads when the answer is about to be sent.
    const harness = await serving(['ada'], { leads: () => asked === 0 || (asked += 1) < 3 });
    asked = 1;
    expect(await codeOf(harness.submit(buy('ada', 'nowhere')))).to.equal('unavailable');
  });

  it('gives no first answer again that it has read while the lease was lost', async () => {
    const lease = leaseOf();
    let reading: (() => void) | null = null;
    const harness = await serving(['ada'], {
      leads: lease.leads,
      journal: (inner) => ({
        ...inner,
        read: async (from, limit) => {
          if (from > 1) await new Promise<void>((resume) => (reading = resume));
          return inner.read(from, limit);
        },
      }),
    });
    const order = { ...buy('ada', 'm'), idempotency: { fingerprint: 'f', key: 'k' } };
    await harness.submit(order);
    const again = codeOf(harness.submit(order));
    await until('it is being read', () => reading !== null);
    lease.lose();
    (reading as (() => void) | null)?.();
    expect(await again).to.equal('unavailable');
  });

  it('resends what it had taken, and is fenced by the journal where another was faster', async () => {
    const lease = leaseOf();
    let away = false;
    const harness = await serving(['ada'], {
      leads: lease.leads,
      journal: (inner) => createFaultyJournal(inner, () => (away ? 'lost' : null)),
    });
    away = true;
    const order = meanwhile(harness.clock, codeOf(harness.submit(buy('ada', 'm'))));
    await until('it is sent', () => harness.resent.length > 0);
    lease.lose();
    const other = writerHarness({ log: harness.log });
    await other.writer.start();
    away = false;
    expect(await order).to.equal('unavailable');
    expect(harness.fenced.length).to.equal(1);
    expect(typesIn(harness.log)).to.not.include('OrderPlaced');
  });
});

describe('a writer whose lease another has taken', () => {
  it('answers all that wait 503 and says so once', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    const order = codeOf(harness.submit(buy('ada', 'm')));
    await until('the append is in flight', () => gated.waiting() === 1);
    harness.writer.fence(new Error('another process has taken the lease'));
    harness.writer.fence(new Error('and again'));
    expect(await order).to.equal('unavailable');
    expect(harness.fenced.map(({ message }) => message)).to.deep.equal(['another process has taken the lease']);
    gated.release();
    await turn();
    expect(await codeOf(harness.submit(openAccount('bob')))).to.equal('unavailable');
  });

  it('begins no epoch where it lost the lease while it read, so that it does not fence its successor', async () => {
    const lease = leaseOf();
    const leader = await serving(['ada']);
    const losing = (inner: Journal): Journal => ({
      ...inner,
      read: (from, limit) => {
        lease.lose();
        return inner.read(from, limit);
      },
    });
    const late = writerHarness({ journal: losing, leads: lease.leads, log: leader.log });
    const failed: unknown = await late.writer.start().catch((error: unknown) => error);
    expect(String(failed)).to.include('the lease ran out before the epoch had begun');
    expect(await codeOf(leader.submit(buy('ada', 'm')))).to.equal('ok');
    expect(typesIn(leader.log).filter((type) => type === 'WriterEpochStarted').length).to.equal(1);
  });

  it('begins no epoch where another was faster while it appended its own', async () => {
    const lease = leaseOf();
    const leader = await serving(['ada']);
    let faster: Promise<unknown> | null = null;
    const late = writerHarness({
      journal: (inner) => ({
        ...inner,
        append: async (expected, batch) => {
          await (faster ??= leader.submit(buy('ada', 'm')));
          lease.lose();
          return inner.append(expected, batch);
        },
      }),
      leads: lease.leads,
      log: leader.log,
    });
    expect(String(await late.writer.start().catch((error: unknown) => error))).to.include('the lease ran out');
    expect(await codeOf(leader.submit(buy('ada', 'm')))).to.equal('ok');
  });
});
