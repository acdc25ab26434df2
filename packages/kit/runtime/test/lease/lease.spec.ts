import { FakeClock } from '@paper/testkit';
import type { Clock } from '@paper/timing';
import { expect } from 'chai';
import { createLease } from '../../src/lease/lease.ts';
import type { Lease } from '../../src/lease/lease.ts';
import type { Claim, LeaseStore } from '../../src/lease/lease-store.ts';
import { createLogger } from '../../src/logger.ts';
import { createMetrics } from '../../src/metrics.ts';
import { stepDownWhenUnhealthy } from '../../src/lease/step-down.ts';

interface Row {
  readonly holder: string;
  readonly address: string;
  readonly term: number;
  readonly expiresMs: number;
}

/** The rows as the database keeps them, by one clock, and the ways of several processes to it, each of which can fail. */
function leaseRow(clock: FakeClock) {
  const rows = new Map<string, Row>();
  let ways = 0;
  const heldRow = (name: string): Row | null => {
    const row = rows.get(name);
    return row !== undefined && row.expiresMs > clock.now() ? row : null;
  };
  const prolong = ({ name, holder }: Claim, term: number, forMs: number): boolean => {
    const row = rows.get(name);
    if (row?.holder !== holder || row.term !== term) return false;
    rows.set(name, { ...row, expiresMs: clock.now() + forMs });
    return true;
  };
  const way = () => {
    ways += 1;
    let disconnected: () => void = () => undefined;
    let hanging: { readonly resume: () => void; readonly fail: (error: Error) => void }[] | null = null;
    let broken = false;
    const reach = async (): Promise<void> => {
      if (broken) throw new Error('no connection');
      if (hanging !== null) await new Promise<void>((resume, fail) => hanging?.push({ fail, resume }));
    };
    const store: LeaseStore = {
      holder: `process ${ways}`,
      onDisconnect: (listener) => (disconnected = listener),
      async heldAt(name) {
        await reach();
        return heldRow(name)?.address ?? null;
      },
      async take({ name, holder, address }, forMs) {
        await reach();
        const held = heldRow(name);
        if (held !== null) return { address: held.address, kind: 'held' };
        const term = (rows.get(name)?.term ?? 0) + 1;
        rows.set(name, { address, expiresMs: clock.now() + forMs, holder, term });
        return { kind: 'taken', term };
      },
      async renew(claim, term, forMs) {
        await reach();
        return prolong(claim, term, forMs);
      },
      async release(claim, term) {
        await reach();
        prolong(claim, term, 0);
      },
      close: () => Promise.resolve(),
    };
    return {
      store,
      break: () => (broken = true),
      disconnect: () => disconnected(),
      mend: () => (broken = false),
      hang: () => (hanging = []),
      resume: () => {
        const waiting = hanging ?? [];
        hanging = null;
        for (const { resume } of waiting) resume();
      },
      /** Fails the waiting calls with a timeout. Later calls wait. */
      timeOut: () => {
        for (const { fail } of hanging?.splice(0) ?? []) fail(new Error('no answer in time'));
      },
      waiting: () => hanging?.length ?? 0,
    };
  };
  return { row: () => rows.get('writer:main') ?? null, way };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a lease', () => {
  let clock: FakeClock;
  let kept: ReturnType<typeof leaseRow>;
  let way: ReturnType<typeof kept.way>;
  let stop: AbortController;
  /** The distance in ms by which the wall clock was set. */
  let setByMs: number;
  /** The messages logged, each with its process's address and without its fields. */
  let logged: string[];

  /** Makes the lease of a process with its own connection to the row. The process `one` uses `way`. */
  const lease = (address: string, ownClock: Partial<Clock> = {}) => {
    const { store } = address === 'one' ? way : kept.way();
    const metrics = createMetrics();
    const logger = createLogger(
      { level: 'info', name: 'test' },
      { write: (line: string) => void logged.push(`${address}: ${(JSON.parse(line) as { msg: string }).msg}`) },
    );
    const made = createLease({
      address: () => address,
      clock: { after: clock.after, monotonic: clock.monotonic, now: () => clock.now() + setByMs, ...ownClock },
      logAfter: clock.after,
      logger,
      metrics,
      name: 'writer:main',
      store,
    });
    return { ...made, exposed: async () => (await metrics.expose()).text };
  };
  /** Advances the clock in steps, so that requests to the store are answered in between. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      clock.advance(50);
      await turn();
    }
  };
  const taken = async (one: Lease) => {
    const tenure = await one.acquire(stop.signal);
    if (tenure === null) throw new Error('nothing was acquired');
    return tenure;
  };

  beforeEach(() => {
    clock = new FakeClock();
    kept = leaseRow(clock);
    way = kept.way();
    stop = new AbortController();
    setByMs = 0;
    logged = [];
  });
  afterEach(() => stop.abort());

  it('is renewed for as long as it is held', async () => {
    const one = lease('one');
    const tenure = await taken(one);
    for (let seconds = 0; seconds < 60; seconds += 1) {
      await pass(1_000);
      expect(tenure.held()).to.equal(true);
    }
    expect(kept.row()).to.include({ address: 'one', term: 1 });
    expect(await one.exposed()).to.include('lease_held{lease="writer:main"} 1');
  });

  it('is asked for again at once where a renewal had no answer in time, while there is time left', async () => {
    const tenure = await taken(lease('one'));
    way.hang();
    await pass(1_750);
    way.timeOut();
    await turn();
    await pass(50);
    expect(way.waiting()).to.equal(1);
    await pass(100);
    way.resume();
    await pass(500);
    expect(tenure.held()).to.equal(true);
  });

  it('is waited for, and taken when its holder does not renew it any more', async () => {
    const first = await taken(lease('one'));
    const waiting = lease('two');
    const acquired = waiting.acquire(stop.signal);
    await pass(10_000);
    expect(kept.row()).to.include({ address: 'one', term: 1 });
    expect(waiting.seenAt()).to.equal('one');
    expect(await waiting.exposed()).to.include('lease_held{lease="writer:main"} 0');
    way.hang();
    await pass(2_950);
    expect(first.held()).to.equal(false);
    expect(kept.row()).to.include({ address: 'one', term: 1 });
    await pass(1_300);
    expect((await acquired)?.held()).to.equal(true);
    expect(kept.row()).to.include({ address: 'two', term: 2 });
    way.resume();
    await turn();
    expect(first.lost.aborted).to.equal(true);
  });

  it('is not held by a process that was stopped and resumes, before any of its timers has run', async () => {
    // The clock of this process advances, but none of its timers fires.
    const tenure = await taken(lease('one', { after: () => () => undefined }));
    clock.advance(1_999);
    expect(tenure.held()).to.equal(true);
    clock.advance(1);
    expect(tenure.held()).to.equal(false);
  });

  it('is not held by a process whose machine was suspended: only its wall clock advanced', async () => {
    const tenure = await taken(lease('one', { after: () => () => undefined }));
    setByMs += 500;
    expect(tenure.held()).to.equal(true);
    setByMs += 1;
    expect(tenure.held()).to.equal(false);
  });

  it('is held again with the next renewal after the wall clock was set, forward or back', async () => {
    const tenure = await taken(lease('one'));
    for (const ms of [3_600_000, -7_200_000]) {
      setByMs += ms;
      expect(tenure.held()).to.equal(false);
      await pass(1_000);
      expect(tenure.held()).to.equal(true);
    }
    way.hang();
    await pass(2_000);
    expect(tenure.held()).to.equal(false);
  });

  it('expires where its holder steps down, goes to a process that waits, and comes back where none does', async () => {
    const first = await taken(lease('one'));
    await pass(500);
    first.stepDown();
    await pass(1_450);
    expect(first.held()).to.equal(true);
    await pass(50);
    expect(first.held()).to.equal(false);
    await pass(3_550);
    expect(first.held(), 'after 5 s it is renewed').to.equal(true);
    expect(kept.row()).to.include({ address: 'one', term: 1 });
    const waiting = lease('two').acquire(stop.signal);
    first.stepDown();
    await pass(5_000);
    expect((await waiting)?.held()).to.equal(true);
    expect(kept.row()).to.include({ address: 'two', term: 2 });
    expect(first.lost.aborted).to.equal(true);
    first.stepDown();
    await pass(10_000);
    expect(kept.row()).to.include({ address: 'two', term: 2 });
  });

  it('writes nothing while its holder lets it run out again and again', async () => {
    const first = await taken(lease('one'));
    void lease('two').acquire(stop.signal, () => Promise.resolve(false));
    for (let times = 0; times < 15; times += 1) {
      first.stepDown();
      await pass(20_000);
    }
    expect(first.held()).to.equal(true);
    expect(logged).to.deep.equal(['one: the lease is held', 'two: another process holds the lease; waiting']);
  });

  describe('whose holder is unhealthy', () => {
    let stepDowns: number;
    let stopWatching: () => void;
    let isHealthy: Record<'one' | 'two', boolean>;

    /** The lease is held by one, which steps down by the rule; two waits for it. */
    const held = async () => {
      const first = await taken(lease('one'));
      const waiting = lease('two').acquire(stop.signal, () => Promise.resolve(isHealthy.two));
      stopWatching = stepDownWhenUnhealthy({
        clock,
        tenure: first,
        unhealthyReason: () => (isHealthy.one ? null : 'the journal does not answer'),
        onStepDown: () => (stepDowns += 1),
      });
      return { first, waiting };
    };

    beforeEach(() => {
      stepDowns = 0;
      isHealthy = { one: true, two: true };
    });
    afterEach(() => stopWatching());

    // An outage of 5.5 s made a healthy leader end: it had stepped down after 5.4 s.
    for (const seconds of [3, 5.5, 6, 12, 40, 600]) {
      it(`stays where no other is healthy for ${seconds} s, though the other is healthy again 3 s sooner`, async () => {
        const { first } = await held();
        isHealthy = { one: false, two: false };
        await pass(seconds * 1_000);
        isHealthy.two = true;
        await pass(3_000);
        isHealthy.one = true;
        await pass(60_000);
        expect([stepDowns, first.held()]).to.deep.equal([0, true]);
        expect(kept.row()).to.include({ address: 'one', term: 1 });
      });
    }

    it('goes to a healthy process within ten seconds', async () => {
      const { first, waiting } = await held();
      isHealthy.one = false;
      await pass(10_000);
      expect(stepDowns).to.equal(1);
      expect((await waiting)?.held()).to.equal(true);
      expect(kept.row()).to.include({ address: 'two', term: 2 });
      expect(first.lost.aborted).to.equal(true);
    });

    it('stays while no other process waits', async () => {
      const { first } = await held();
      stop.abort();
      isHealthy.one = false;
      await pass(600_000);
      expect([stepDowns, first.held()]).to.deep.equal([0, true]);
    });

    it('is not checked for by a waiting process before', async () => {
      let checks = 0;
      stopWatching = () => undefined;
      await taken(lease('one'));
      void lease('two').acquire(stop.signal, () => {
        checks += 1;
        return Promise.resolve(true);
      });
      await pass(60_000);
      expect(checks).to.equal(0);
    });
  });

  it('writes a line a minute while the store is away, however often it is asked', async () => {
    await taken(lease('one'));
    way.break();
    await pass(300_000);
    const ofOne = logged.filter((line) => line.startsWith('one: the lease cannot be read'));
    expect(ofOne).to.have.length.within(5, 6);
    expect(logged.filter((line) => line.startsWith('one: '))).to.have.length(ofOne.length + 2);
  });

  it('runs out also where a renewal was just on its way', async () => {
    const first = await taken(lease('one'));
    const waiting = lease('two').acquire(stop.signal);
    way.hang();
    await pass(1_000);
    first.stepDown();
    way.resume();
    await pass(3_400);
    expect((await waiting)?.held()).to.equal(true);
  });

  it('is not taken, free as it is, by one that could make no use of it', async () => {
    let fit = false;
    let asked = 0;
    const isHealthy = () => {
      asked += 1;
      return Promise.resolve(fit);
    };
    const first = await taken(lease('one'));
    const waiting = lease('two');
    const acquired = waiting.acquire(stop.signal, isHealthy);
    await pass(1_000);
    expect([asked, waiting.seenAt()]).to.deep.equal([0, 'one']);
    await first.release();
    await pass(3_000);
    expect([asked, waiting.seenAt(), kept.row()?.term]).to.deep.equal([3, null, 1]);
    fit = true;
    await pass(1_000);
    expect((await acquired)?.held()).to.equal(true);
  });

  it('is held for 2 s without a renewal, counted from when the last one was requested', async () => {
    const tenure = await taken(lease('one'));
    await pass(900);
    way.hang();
    clock.advance(100);
    const askedMs = clock.now();
    clock.advance(900);
    way.resume();
    await turn();
    way.hang();
    clock.advance(askedMs + 1_999 - clock.now());
    expect(tenure.held()).to.equal(true);
    clock.advance(1);
    expect(tenure.held()).to.equal(false);
  });

  it('is renewed at once after its connection was lost, and not relied on for longer than 200 ms without', async () => {
    const tenure = await taken(lease('one'));
    await pass(500);
    way.hang();
    way.disconnect();
    await pass(50);
    expect(way.waiting(), 'it is renewed').to.equal(1);
    await pass(100);
    expect(tenure.held()).to.equal(true);
    await pass(50);
    expect(tenure.held()).to.equal(false);
    way.resume();
    await pass(50);
    expect(tenure.held()).to.equal(true);
    way.disconnect();
    await pass(5_000);
    expect(tenure.held()).to.equal(true);
  });

  it('is held again where the store was away for a while and no other process has had it', async () => {
    const tenure = await taken(lease('one'));
    way.break();
    await pass(60_000);
    expect(tenure.held()).to.equal(false);
    expect(tenure.lost.aborted).to.equal(false);
    way.mend();
    await pass(250);
    expect(tenure.held()).to.equal(true);
    expect(kept.row()).to.include({ address: 'one', term: 1 });
  });

  it('is lost for good where another has had it, even if that one has given it up again', async () => {
    const first = await taken(lease('one'));
    way.break();
    await pass(4_000);
    way.mend();
    const second = await taken(lease('two'));
    await second.release();
    await pass(1_000);
    expect(first.held()).to.equal(false);
    expect(String(first.lost.reason)).to.equal('Error: another process has taken the lease writer:main');
    const third = await taken(lease('three'));
    await pass(5_000);
    expect(third.held()).to.equal(true);
    expect(first.held()).to.equal(false);
    expect(kept.row()).to.include({ address: 'three', term: 3 });
  });

  it('goes over at once when it is given up', async () => {
    const first = await taken(lease('one'));
    const waiting = lease('two').acquire(stop.signal);
    await pass(400);
    await first.release();
    expect(first.held()).to.equal(false);
    await pass(200);
    expect((await waiting)?.held()).to.equal(true);
    // Nothing of the first is left that would renew it.
    await pass(5_000);
    expect(kept.row()).to.include({ address: 'two', term: 2 });
  });

  it('is no reason to fail when it cannot be given up: it runs out', async () => {
    const first = await taken(lease('one'));
    way.break();
    await first.release();
    expect(first.held()).to.equal(false);
    way.mend();
    const next = lease('two').acquire(stop.signal);
    await pass(3_200);
    expect((await next)?.held()).to.equal(true);
  });

  it('is requested until the store is there, and no longer once the caller has given up', async () => {
    way.break();
    const first = lease('one').acquire(stop.signal);
    await pass(10_000);
    way.mend();
    await pass(250);
    await (await first)?.release();
    const blocked = await taken(lease('two'));
    const never = lease('three').acquire(stop.signal);
    await pass(1_000);
    stop.abort();
    expect(await never).to.equal(null);
    await blocked.release();
    // The log of failures is over a minute after the last one.
    await pass(60_000);
    expect(clock.waiting).to.equal(0);
    expect(kept.row()).to.include({ address: 'two', term: 2 });
  });

  it('is given back where its wanter left while it was being taken', async () => {
    way.hang();
    const leaving = lease('one').acquire(stop.signal);
    stop.abort();
    way.resume();
    expect(await leaving).to.equal(null);
    expect(kept.row()?.expiresMs).to.equal(clock.now());
  });
});
