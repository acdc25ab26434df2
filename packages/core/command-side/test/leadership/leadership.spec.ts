import { createMemoryJournal } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';
import type { Lease, Tenure } from '@paper/runtime';
import { expect } from 'chai';
import type { LeaderHealth } from '../../src/leadership/leader-health.ts';
import { Leadership } from '../../src/leadership/leadership.ts';
import { fromFirstEvent, loadToEnd } from '../../src/writer/load.ts';
import type { StartPoint } from '../../src/writer/load.ts';
import { buy, listMarket, openAccount, serving } from '../writer-harness.ts';
import type { WriterHarness } from '../writer-harness.ts';
import { FakeClock, meanwhile, turn, until } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';

/** A lease that the test grants. */
function leaseToGrant() {
  let grant: ((tenure: Tenure | null) => void) | null = null;
  const lost = new AbortController();
  let held = false;
  let released = false;
  let seenAt: string | null = 'http://leader';
  let stepDowns = 0;
  let hasSuccessor = false;
  let isHealthy = (): Promise<boolean> => Promise.resolve(true);
  const tenure: Tenure = {
    held: () => held,
    hasSuccessor: () => Promise.resolve(hasSuccessor),
    stepDown: () => void (stepDowns += 1),
    lost: lost.signal,
    release: () => {
      held = false;
      released = true;
      return Promise.resolve();
    },
  };
  const lease: Lease = {
    acquire: (signal, asks = isHealthy) =>
      new Promise((resolve) => {
        isHealthy = asks;
        grant = resolve;
        const left = (): void => resolve(null);
        if (signal.aborted) left();
        signal.addEventListener('abort', left);
      }),
    seenAt: () => seenAt,
  };
  return {
    lease,
    wanted: () => grant !== null,
    grant: () => {
      held = true;
      grant?.(tenure);
    },
    lose: () => {
      held = false;
      lost.abort(new Error('another has it'));
    },
    released: () => released,
    stepDowns: () => stepDowns,
    /** Another process waits for the lease, and is healthy or not. */
    succeedBy: (isHealthyToo: boolean) => (hasSuccessor = isHealthyToo),
    /** The lease is free, and this process is asked whether it could lead. */
    free: () => {
      seenAt = null;
      return isHealthy();
    },
  };
}

describe('leadership', () => {
  let leader: WriterHarness;
  let granted: ReturnType<typeof leaseToGrant>;
  let clock: FakeClock;
  let noted: string[];
  let lost: Error[];
  let alarms: string[];
  let unhealthyReason: string | null;
  const health: LeaderHealth = {
    check: () => Promise.resolve(unhealthyReason),
    unhealthyReason: () => unhealthyReason,
  };

  const standby = (
    wrap: (inner: Journal) => Journal = (inner) => inner,
    loadFrom: StartPoint = fromFirstEvent,
  ): Leadership =>
    new Leadership({
      loadFrom,
      clock,
      health,
      journal: wrap(createMemoryJournal(leader.log)),
      lease: granted.lease,
      observer: {
        ...NOTHING,
        alarm: (message, error) => void alarms.push(`${message}: ${error instanceof Error ? error.message : ''}`),
        noted: (message) => void noted.push(message),
      },
      onLost: (error) => void lost.push(error),
    });
  const expected = async (): Promise<unknown> =>
    dump((await loadToEnd(createMemoryJournal(leader.log), await fromFirstEvent())).state);

  beforeEach(async () => {
    leader = await serving(['ada']);
    clock = new FakeClock();
    granted = leaseToGrant();
    noted = [];
    lost = [];
    alarms = [];
    unhealthyReason = null;
  });
  afterEach(() => leader.writer.stop(1));

  it('stands by with a memory that follows the journal, and takes over with it', async () => {
    const readFrom: number[] = [];
    const one = standby((inner) => ({
      ...inner,
      read: (from, limit) => {
        readFrom.push(from);
        return inner.read(from, limit);
      },
    }));
    expect(one.describe()).to.equal('standby: reading the journal');
    const turnOfOne = one.turn();
    await until('it is warm', granted.wanted);
    expect(one.describe()).to.equal('standby at sequence 4: http://leader leads');
    expect(one.leads()).to.equal(false);
    for (let n = 0; n < 10; n += 1) await leader.submit(buy('ada', 'm'));
    await until('it has followed', () => one.standbySeq === leader.log.events.length);
    granted.grant();
    await turnOfOne;
    expect(one.leads()).to.equal(true);
    expect(one.describe()).to.equal('taking over');
    const folded = await one.loadFrom();
    expect(folded.head.seq).to.equal(14);
    expect(dump(folded.state)).to.deep.equal(await expected());
    expect(readFrom).to.deep.equal([1]);
    // The folded state was handed over: a second call starts from the first event.
    expect((await one.loadFrom()).head.seq).to.equal(0);
    await one.end();
    expect(granted.released()).to.equal(true);
  });

  it('does not want the lease before it has read the journal to its end', async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const one = standby((inner) => ({
      ...inner,
      read: async (from, limit) => {
        await opened;
        return inner.read(from, limit);
      },
    }));
    const turnOfOne = one.turn();
    for (let n = 0; n < 50; n += 1) await turn();
    expect(granted.wanted()).to.equal(false);
    open();
    await until('it is warm', granted.wanted);
    granted.grant();
    await turnOfOne;
  });

  it('takes its memory between two decisions, also where the lease comes in the middle of one', async () => {
    let pass: (() => void) | null = null;
    const oneByOne = (inner: Journal): Journal => ({
      ...inner,
      async *follow(from, options) {
        for await (const page of inner.follow(from, options)) {
          for (const stored of page) {
            await new Promise<void>((resolve) => (pass = resolve));
            if (options.signal.aborted) return;
            yield [stored] satisfies StoredEvent[];
          }
        }
      },
    });
    const one = standby(oneByOne);
    const turnOfOne = one.turn();
    await until('it is warm', granted.wanted);
    // Opening the account appends two events: the account and its key.
    await leader.submit(openAccount('bob'));
    await until('the first is to come', () => pass !== null);
    (pass as (() => void) | null)?.();
    await until('half of it is there', () => one.standbySeq === 5);
    granted.grant();
    await turn();
    (pass as (() => void) | null)?.();
    await turnOfOne;
    const folded = await one.loadFrom();
    expect(folded.head.seq).to.equal(6);
    expect(dump(folded.state)).to.deep.equal(await expected());
  });

  it('takes its memory between two decisions, also where the journal first showed half of one', async () => {
    await leader.submit(openAccount('bob'));
    let shown = 5;
    let looked = 0;
    const one = standby((inner) => ({
      ...inner,
      read: async (from, limit) => {
        looked += 1;
        return (await inner.read(from, limit)).filter(({ seq }) => seq <= shown);
      },
      // The subscription gives nothing, so the standby sees new events only when it reads.
      async *follow(_from, { signal }) {
        while (!signal.aborted) await turn();
        yield* [];
      },
    }));
    const turnOfOne = one.turn();
    await until('it is warm', granted.wanted);
    expect(one.standbySeq).to.equal(5);
    granted.grant();
    const before = looked;
    await meanwhile(
      clock,
      until('it looks for the rest', () => looked > before),
    );
    shown = 6;
    await meanwhile(clock, turnOfOne);
    const folded = await one.loadFrom();
    expect(folded.head.seq).to.equal(6);
    expect(dump(folded.state)).to.deep.equal(await expected());
  });

  it('tries on while the journal cannot be reached, before and after it is warm', async () => {
    let failures = 3;
    let cuts = 2;
    const one = standby((inner) => ({
      ...inner,
      read: (from, limit) => (failures-- > 0 ? Promise.reject(new Error('no connection')) : inner.read(from, limit)),
      follow: (from, options) => {
        if (cuts-- > 0) throw new Error('the subscription was dropped');
        return inner.follow(from, options);
      },
    }));
    const turnOfOne = meanwhile(clock, one.turn());
    await until('it is warm', granted.wanted);
    await leader.submit(listMarket('n'));
    await until('it has followed', () => one.standbySeq === 5);
    granted.grant();
    await turnOfOne;
    expect(noted).to.deep.equal(Array(5).fill('the journal cannot be followed; retrying'));
  });

  for (const when of ['before it is warm', 'after']) {
    it(`is out of the question for one that cannot fold the journal (${when})`, async () => {
      const broken = (page: readonly StoredEvent[]): readonly StoredEvent[] =>
        page.map((stored) => ({
          ...stored,
          publicText: stored.publicText.replace(/"version":\d+}$/, '"version":999}'),
        }));
      const one = standby((inner) => ({
        ...inner,
        read: async (from, limit) => {
          const page = await inner.read(from, limit);
          return when === 'after' ? page : broken(page);
        },
        async *follow(from, options) {
          for await (const page of inner.follow(from, options)) yield broken(page);
        },
      }));
      const failed = one.turn().catch((error: unknown) => error);
      if (when === 'after') {
        await until('it is warm', granted.wanted);
        await leader.submit(listMarket('n'));
      }
      expect(String(await failed)).to.match(/JournalUnreadable: sequence \d cannot|JournalUnreadable: sequence \d of/);
      expect(one.leads()).to.equal(false);
    });
  }

  it('is not waited for any more when it is ended', async () => {
    const one = standby();
    const failed = one.turn().catch((error: unknown) => error);
    await until('it is warm', granted.wanted);
    await one.end();
    expect(String(await failed)).to.equal('Error: it was ended before it was its turn to lead');
  });

  it('does not want the lease while something hinders it to decide, and says what', async () => {
    const one = standby();
    const turnOfOne = one.turn();
    await until('it is warm', granted.wanted);
    unhealthyReason = 'the journal does not answer';
    expect(await granted.free()).to.equal(false);
    expect(one.describe()).to.equal('standby at sequence 4, and cannot lead: the journal does not answer');
    unhealthyReason = null;
    expect(await granted.free()).to.equal(true);
    expect(one.describe()).to.equal('standby at sequence 4');
    granted.grant();
    await turnOfOne;
    await one.end();
  });

  it('lets its lease go where something hinders it, and no other process, for some seconds', async () => {
    const one = standby();
    const turnOfOne = one.turn();
    await until('it is warm', granted.wanted);
    granted.grant();
    await turnOfOne;
    const pass = async (seconds: number): Promise<void> => {
      for (let passed = 0; passed < seconds; passed += 1) {
        clock.advance(1_000);
        await turn();
      }
    };
    granted.succeedBy(true);
    for (let times = 0; times < 3; times += 1) {
      unhealthyReason = 'the journal does not answer';
      await pass(3);
      unhealthyReason = null;
      await pass(1);
    }
    expect(granted.stepDowns()).to.equal(0);
    granted.succeedBy(false);
    unhealthyReason = 'the journal does not answer';
    await pass(60);
    expect(granted.stepDowns()).to.equal(0);
    expect(one.describe()).to.equal('the journal does not answer');
    granted.succeedBy(true);
    await pass(4);
    expect(granted.stepDowns()).to.equal(1);
    expect(alarms).to.deep.equal([
      'stepping down: another process is healthy, so this one lets the lease expire: the journal does not answer',
    ]);
    await one.end();
    await pass(60);
    expect(granted.stepDowns()).to.equal(1);
  });

  it('says when it is lost', async () => {
    const one = standby();
    const turnOfOne = one.turn();
    await until('it is warm', granted.wanted);
    granted.grant();
    await turnOfOne;
    granted.lose();
    expect(one.leads()).to.equal(false);
    expect(lost.map(({ message }) => message)).to.deep.equal(['another has it']);
  });
});

const NOTHING = {
  alarm: () => undefined,
  appended: () => undefined,
  decided: () => undefined,
  noted: () => undefined,
  queueDepth: () => undefined,
  resent: () => undefined,
};
