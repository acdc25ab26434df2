import { setImmediate as turn } from 'node:timers/promises';
import type { CommandlessEvent, StoredEvent } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { ProjectionFault } from '../src/engine/faults.ts';
import { feed } from '../src/projection/feed.ts';
import type { FeedOptions, Page } from '../src/projection/feed.ts';
import { Gathering } from '../src/engine/gathering.ts';
import type { Projected, Folded, Projection } from '../src/projection/projection.ts';
import { caught } from './caught.ts';

/** Folds into nothing, and writes as the test lets it. */
class FoldedInto {
  readonly schema = 'read_1';
  checkpoint: Projected;
  folded: Projected;
  #planned: Projected;
  abandoned = 0;
  readonly begun: Folded[] = [];

  constructor(
    seq = 0,
    private readonly written: (folded: Folded) => Promise<void> = () => Promise.resolve(),
  ) {
    this.checkpoint = this.folded = this.#planned = { seq, hash: '', atMs: 0, keysSeq: seq };
  }

  fold({ seq, hash, event }: CommandlessEvent): void {
    expect(seq).to.equal(this.folded.seq + 1);
    this.folded = { seq, hash, atMs: event.at, keysSeq: seq };
  }

  endBatch = (): Folded | null => this.#plan(true);
  endPart = (): Folded | null => this.#plan(false);

  async write(folded: Folded): Promise<void> {
    this.begun.push(folded);
    await this.written(folded);
    if (folded.endsBatch) this.checkpoint = folded.to;
  }

  abandonPart(): Promise<void> {
    this.abandoned += 1;
    return Promise.resolve();
  }

  /** Sequences that were written last in each batch, or part. */
  ends(endsBatch: boolean): readonly number[] {
    return this.begun.filter((folded) => folded.endsBatch === endsBatch).map(({ to }) => to.seq);
  }

  #plan(endsBatch: boolean): Folded | null {
    const [from, to] = [this.#planned, this.folded];
    this.#planned = to;
    return from === to ? null : { from, to, plan: [], endsBatch, erases: false };
  }
}

describe('a feed', () => {
  let stored: readonly StoredEvent[];
  let ends: readonly number[];
  before(async () => {
    const simulated = new SimulatedJournal({ seed: 1 });
    await simulated.run(400);
    ({ ends } = simulated);
    stored = await simulated.journal.read(1, simulated.head.seq);
  });

  /** Events in pages of that many, of which the last says that nothing follows. */
  async function* paged(events: readonly StoredEvent[], pageSize = 50): AsyncGenerator<Page, void> {
    for (let from = 0; from < events.length; from += pageSize) {
      yield { events: events.slice(from, from + pageSize), moreFollow: from + pageSize < events.length };
      await turn();
    }
  }
  const run = (into: FoldedInto, pages: AsyncIterator<Page>, options: FeedOptions): Promise<void> =>
    feed(into as unknown as Projection, pages, options);
  /** The last sequence of a decision at or after this one. */
  const endFrom = (seq: number): number => ends.find((end) => end >= seq) ?? 0;
  const isOrdered = (seqs: readonly number[]): boolean => seqs.every((seq, n) => n === 0 || seq > seqs[n - 1]!);

  it('writes whole decisions, to the last one', async () => {
    const into = new FoldedInto();
    const progress: number[] = [];
    await run(into, paged(stored, 7), { batchSize: 20, onProgress: ({ seq }) => progress.push(seq) });
    expect(into.ends(false)).to.deep.equal([]);
    expect(into.ends(true))
      .to.satisfy(isOrdered)
      .and.to.satisfy((seqs: number[]) => seqs.every((s) => ends.includes(s)));
    expect(into.checkpoint.seq).to.equal(stored.length);
    expect(progress).to.deep.equal(into.ends(true));
    expect(into.abandoned).to.equal(1);
  });

  it('writes nothing of a decision that its pages leave unfinished', async () => {
    const end = ends.find((seq, n) => n > 20 && seq > ends[n - 1]! + 1) ?? 0;
    const into = new FoldedInto();
    await run(into, paged(stored.slice(0, end - 1)), { batchSize: 10_000 });
    expect(into.folded.seq).to.equal(end - 1);
    expect(into.begun).to.deep.equal([]);
  });

  it('ends a batch where nothing more follows and the database is free, and waits where more follows', async () => {
    for (const moreFollow of [false, true]) {
      const into = new FoldedInto();
      let more = (): void => undefined;
      const pages = (async function* (): AsyncGenerator<Page, void> {
        yield { events: stored.slice(0, endFrom(5)), moreFollow };
        await new Promise<void>((resolve) => (more = resolve));
      })();
      const running = run(into, pages, { batchSize: 10_000 });
      for (let n = 0; n < 5; n += 1) await turn();
      expect(into.ends(true)).to.deep.equal(moreFollow ? [] : [endFrom(5)]);
      more();
      await running;
      expect(into.ends(true)).to.deep.equal([endFrom(5)]);
    }
  });

  it('gathers pages until a read waits, or the pages end', async () => {
    const into = new FoldedInto();
    const gathering = new Gathering(600_000);
    let more = (): void => undefined;
    const pages = (async function* (): AsyncGenerator<Page, void> {
      let from = 0;
      for (const end of [endFrom(5), endFrom(30), endFrom(60), endFrom(90)]) {
        yield { events: stored.slice(from, end), moreFollow: false };
        from = end;
        await new Promise<void>((resolve) => (more = resolve));
      }
    })();
    const running = run(into, pages, { batchSize: 10_000, gathering });
    const turns = async (): Promise<void> => {
      for (let n = 0; n < 5; n += 1) await turn();
    };
    for (let n = 0; n < 3; n += 1) {
      await turns();
      more();
    }
    await turns();
    expect(into.ends(true)).to.deep.equal([endFrom(5)]);
    gathering.hurry(endFrom(90));
    await turns();
    expect(into.ends(true)).to.deep.equal([endFrom(5), endFrom(90)]);
    more();
    await running;
    expect(into.ends(true)).to.deep.equal([endFrom(5), endFrom(90)]);
  });

  it('writes at its end what it has gathered', async () => {
    const into = new FoldedInto();
    const gathering = new Gathering(600_000);
    gathering.begin();
    const pages = (async function* (): AsyncGenerator<Page, void> {
      yield { events: stored.slice(0, endFrom(5)), moreFollow: false };
    })();
    await run(into, pages, { batchSize: 10_000, gathering });
    expect(into.ends(true)).to.deep.equal([endFrom(5)]);
  });

  it('writes parts of a batch after so many events, and tells of each', async () => {
    const into = new FoldedInto();
    const told: number[] = [];
    const progress: number[] = [];
    await run(into, paged(stored), {
      batchSize: 10_000,
      partSize: 30,
      onPart: (seq) => told.push(seq),
      onProgress: ({ seq }) => progress.push(seq),
    });
    const parts = Array.from({ length: Math.ceil(stored.length / 30) - 1 }, (_, n) => (n + 1) * 30);
    expect(parts.length).to.be.greaterThan(3);
    expect(into.ends(false)).to.deep.equal(parts);
    expect(told).to.deep.equal(parts);
    expect(progress).to.deep.equal([stored.length]);
  });

  it('counts the events of a part anew after each batch', async () => {
    const into = new FoldedInto();
    await run(into, paged(stored), { batchSize: 20, partSize: 25 });
    expect(into.ends(false)).to.deep.equal([]);
  });

  it('halves its batches towards the end, down to the size of a part, and is paced by their sizes', async () => {
    const into = new FoldedInto();
    const paced: number[] = [];
    const pace = (events: number): Promise<void> => Promise.resolve(void paced.push(events));
    await run(into, paged(stored), { batchSize: 10_000, partSize: 40, endSeq: stored.length, pace });
    const sizes = into.ends(true).map((to, n, all) => to - (all[n - 1] ?? 0));
    expect(paced.filter((events) => events > 0)).to.deep.equal(sizes);
    for (let n = 0, from = 0; n < sizes.length - 1; from += sizes[n]!, n += 1) {
      const most = Math.max(40, Math.ceil((stored.length - from) / 2));
      expect(sizes[n]).to.be.within(most - 20, most);
    }
    expect(sizes.length).to.be.greaterThan(4);
  });

  it('folds on while four writes wait, and no further', async () => {
    let write = (): void => undefined;
    const held = new Promise<void>((resolve) => (write = resolve));
    const into = new FoldedInto(0, () => held);
    const paced: number[] = [];
    const pace = (events: number): Promise<void> => Promise.resolve(void paced.push(events));
    const running = run(into, paged(stored), { batchSize: 1, pace });
    for (let n = 0; n < 50; n += 1) await turn();
    expect(into.begun).to.have.length(1);
    // The fifth is ready, and waits for room.
    expect(paced).to.have.length(5);
    write();
    await running;
    expect(into.checkpoint.seq).to.equal(stored.length);
  });

  it('ends with the error of a write that failed, also where no page ever comes', async () => {
    const away = new Error('the database is away');
    const into = new FoldedInto(0, () => turn().then(() => Promise.reject(away)));
    const pages = (async function* (): AsyncGenerator<Page, void> {
      yield { events: stored.slice(0, endFrom(5)), moreFollow: false };
      await new Promise(() => undefined);
    })();
    expect(await caught(run(into, pages, { batchSize: 10_000 }))).to.equal(away);
    expect(into.abandoned).to.equal(1);
  });

  it('ends with the error of its pages once what it writes is written', async () => {
    const broken = new Error('the journal is away');
    let isWritten = false;
    const into = new FoldedInto(0, async () => {
      for (let n = 0; n < 10; n += 1) await turn();
      isWritten = true;
    });
    const pages = (async function* (): AsyncGenerator<Page, void> {
      yield { events: stored.slice(0, endFrom(5)), moreFollow: false };
      await turn();
      throw broken;
    })();
    expect(await caught(run(into, pages, { batchSize: 10_000 }))).to.equal(broken);
    expect([isWritten, into.checkpoint.seq]).to.deep.equal([true, endFrom(5)]);
  });

  it('refuses an event that cannot be read, by its sequence', async () => {
    const damaged = { ...stored[1]!, publicText: '{' };
    const error = await caught(run(new FoldedInto(), paged([stored[0]!, damaged]), { batchSize: 1 }));
    expect(error).to.be.instanceOf(ProjectionFault);
    expect(String(error)).to.include('sequence 2 cannot be read');
  });
});
