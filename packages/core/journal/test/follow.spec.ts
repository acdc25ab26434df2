import { expect } from 'chai';
import { followPages, Wakeups } from '../src/follow.ts';
import type { FollowSource } from '../src/follow.ts';
import type { StoredEvent } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';

interface Recorded extends FollowSource {
  readonly reads: string[];
}

function source(
  read: (from: number, limit: number) => Promise<readonly StoredEvent[]>,
  over: Partial<FollowSource> = {},
): Recorded {
  const reads: string[] = [];
  return {
    closed: new AbortController().signal,
    pollMs: null,
    read: (from, limit) => {
      reads.push(`${from}+${limit}`);
      return read(from, limit);
    },
    reads,
    retries: () => false,
    wakeups: new Wakeups(),
    ...over,
  };
}

const readGolden = (from: number, limit: number): Promise<readonly StoredEvent[]> =>
  Promise.resolve(goldenEvents.slice(from - 1, from - 1 + limit));

/** Resolves when all that can run without input from outside has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('following', () => {
  it('fetches one page ahead of a slow reader and no more', async () => {
    const stop = new AbortController();
    const from = source(readGolden);
    const pages = followPages(from, 1, { pageSize: 4, signal: stop.signal });
    await settled();
    expect(from.reads, 'nothing before the reader asks').to.deep.equal([]);
    await pages.next();
    await settled();
    expect(from.reads).to.deep.equal(['1+4', '5+4']);
    await pages.next();
    await settled();
    expect(from.reads).to.deep.equal(['1+4', '5+4', '9+4']);
    stop.abort();
    expect((await pages.next()).done).to.equal(true);
    await settled();
    expect(from.reads).to.have.lengthOf(3);
  });

  it('looks at most so often for what is announced and is not there: anybody can make announcements up', async () => {
    const stop = new AbortController();
    const from = source(readGolden, { emptyReadsPerSecond: 20 });
    const pages = followPages(from, goldenEvents.length + 1, { signal: stop.signal });
    const next = pages.next();
    const startedMs = performance.now();
    // The follower may read as often at once as in a second, and then 20 times a second: ten more reads take half a
    // second.
    while (from.reads.length < 30) {
      from.wakeups.wake(Number.MAX_SAFE_INTEGER);
      await settled();
    }
    expect(performance.now() - startedMs).to.be.at.least(400);
    stop.abort();
    expect((await next).done).to.equal(true);
  });

  it('reads once for each append: behind a page that was not full there is nothing until a wake-up', async () => {
    const stop = new AbortController();
    let there = 1;
    const from = source(async (seq, limit) => (await readGolden(seq, limit)).filter((event) => event.seq <= there), {
      emptyReadsPerSecond: 1,
    });
    const pages = followPages(from, 1, { pageSize: 100, signal: stop.signal });
    await pages.next();
    for (let appends = 1; appends <= 10; appends += 1) {
      const next = pages.next();
      await settled();
      expect(from.reads).to.have.length(appends);
      there += 1;
      from.wakeups.wake(there);
      const page = (await next).value as readonly StoredEvent[];
      expect(page.map(({ seq }) => seq)).to.deep.equal([there]);
    }
    stop.abort();
  });

  it('does not look again for what it has: an announcement names the sequence', async () => {
    const stop = new AbortController();
    const from = source(readGolden);
    const pages = followPages(from, 1, { pageSize: 100, signal: stop.signal });
    await pages.next();
    const next = pages.next();
    await settled();
    const reads = from.reads.length;
    for (let n = 0; n < 100; n += 1) from.wakeups.wake(goldenEvents.length);
    await settled();
    expect(from.reads).to.have.length(reads);
    from.wakeups.wake(goldenEvents.length + 1);
    await settled();
    expect(from.reads).to.have.length(reads + 1);
    stop.abort();
    await next;
  });

  it('goes on where it was after reads that fail for a while', async () => {
    const stop = new AbortController();
    const told: string[] = [];
    let reads = 0;
    const flaky = (from: number, limit: number): Promise<readonly StoredEvent[]> =>
      ++reads % 2 === 1 ? Promise.reject(new Error(`lost at ${from}`)) : readGolden(from, limit);
    const retries = (error: unknown): boolean => told.push((error as Error).message) > 0;
    const seqs: number[] = [];
    for await (const page of followPages(source(flaky, { retries }), 1, { pageSize: 10, signal: stop.signal })) {
      seqs.push(...page.map(({ seq }) => seq));
      if (seqs.length === goldenEvents.length) stop.abort();
    }
    expect(seqs).to.deep.equal(goldenEvents.map(({ seq }) => seq));
    expect(told.slice(0, 3)).to.deep.equal(['lost at 1', 'lost at 11', 'lost at 21']);
  });

  it('begins with the shortest pause again after a read that succeeded', async () => {
    const stop = new AbortController();
    const pauses: (number | null)[] = [];
    class RecordingWakeups extends Wakeups {
      override wait(_seen: unknown, _next: unknown, timeoutMs: number | null): Promise<void> {
        pauses.push(timeoutMs);
        return Promise.resolve();
      }
    }
    let reads = 0;
    // The read fails twice before each page.
    const flaky = (from: number, limit: number): Promise<readonly StoredEvent[]> =>
      ++reads % 3 === 0 ? readGolden(from, limit) : Promise.reject(new Error('lost'));
    const from = source(flaky, { retries: () => true, wakeups: new RecordingWakeups() });
    let pages = 0;
    for await (const page of followPages(from, 1, { pageSize: 4, signal: stop.signal })) {
      expect(page).to.have.length(4);
      if (++pages === 2) stop.abort();
    }
    expect(pauses).to.deep.equal([100, 200, 100, 200]);
  });

  it('leaves no unhandled failure of a page that was read ahead when its reader stops', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      let lose: (error: Error) => void = () => undefined;
      const lost = new Promise<never>((_resolve, reject) => (lose = reject));
      const from = source((at, limit) => (at === 1 ? readGolden(at, limit) : lost));
      const pages = followPages(from, 1, { pageSize: 4, signal: new AbortController().signal });
      await pages.next();
      await pages.return();
      lose(new Error('lost'));
      await settled();
      await settled();
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('passes a failure on that another try would not mend', async () => {
    const from = source(() => Promise.reject(new Error('no such table')));
    const next = followPages(from, 1, { signal: new AbortController().signal }).next();
    expect(await next.catch((error: unknown) => (error as Error).message)).to.equal('no such table');
  });

  it('stops at a hole instead of going on over it', async () => {
    const from = source(() => Promise.resolve([goldenEvents[0]!, goldenEvents[2]!]));
    const next = followPages(from, 1, { signal: new AbortController().signal }).next();
    expect(await next.catch((error: unknown) => (error as Error).message)).to.equal(
      'the journal has a hole: sequence 3 where 2 should be',
    );
  });

  it('ends at once when a read hangs', async () => {
    const stop = new AbortController();
    const next = followPages(
      source(() => new Promise(() => undefined)),
      1,
      { signal: stop.signal },
    ).next();
    stop.abort();
    expect((await next).done).to.equal(true);
  });

  it('loses no wake-up that comes while it reads', async () => {
    const stop = new AbortController();
    const wakeups = new Wakeups();
    let stored = 0;
    const racing = async (from: number, limit: number): Promise<readonly StoredEvent[]> => {
      const page = goldenEvents.slice(0, stored).slice(from - 1, from - 1 + limit);
      await settled();
      if (stored < 3) {
        stored += 1;
        wakeups.wake();
      }
      return page;
    };
    const seqs: number[] = [];
    for await (const page of followPages(source(racing, { wakeups }), 1, { signal: stop.signal })) {
      seqs.push(...page.map(({ seq }) => seq));
      if (seqs.length === 3) stop.abort();
    }
    expect(seqs).to.deep.equal([1, 2, 3]);
  });
});
