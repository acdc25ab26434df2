import { expect } from 'chai';
import { AppendRefused, checkChain, EMPTY_HEAD, encodeDecision, WrongExpectedHead } from '../src/index.ts';
import type { Head, Journal, StoredEvent } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';
import { sampleCommand, sampleEvents } from './sample-events.ts';

/** The store under test. Every `open` gives another journal instance over the same stored log. */
export interface JournalFixture {
  /** Frees the fixture's resources; the instances are closed by then. */
  close(): Promise<void>;
  open(): Promise<Journal>;
}

export interface Batch {
  readonly events: readonly StoredEvent[];
  readonly head: Head;
}

/** A batch of one decision with `count` events; another `seed`, other ids and texts. */
export function batchAfter(head: Head, count: number, seed: number, title = 'A title'): Batch {
  const events = Array.from({ length: count }, () => ({ ...sampleEvents.MarketAmended, title }));
  const encoded = encodeDecision({ command: sampleCommand(seed), events, head, salt: '5a'.repeat(16) });
  return { events: encoded.stored, head: encoded.head };
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was expected to fail');
}

async function expectWrongHead(attempt: Promise<void>, actual: Head): Promise<void> {
  const error = await failureOf(attempt);
  expect(error).to.be.instanceOf(WrongExpectedHead);
  expect((error as WrongExpectedHead).actual).to.deep.equal(actual);
}

/** The contract that every adapter of the journal's port passes. */
export function journalContract(name: string, createFixture: () => Promise<JournalFixture>): void {
  describe(`journal contract: ${name}`, function () {
    // The limit is for a busy machine; no test here takes a second.
    this.timeout(30_000);
    let fixture: JournalFixture;
    let journal: Journal;
    const opened: Journal[] = [];
    const open = async (): Promise<Journal> => {
      const instance = await fixture.open();
      opened.push(instance);
      return instance;
    };

    beforeEach(async () => {
      fixture = await createFixture();
      journal = await open();
    });

    afterEach(async () => {
      for (const instance of opened.splice(0)) await instance.close();
      await fixture.close();
    });

    const appended = async (...sizes: readonly number[]): Promise<Batch[]> => {
      const batches: Batch[] = [];
      let head = EMPTY_HEAD;
      for (const [index, size] of sizes.entries()) {
        const batch = batchAfter(head, size, index + 1);
        await journal.append(head, batch.events);
        batches.push(batch);
        head = batch.head;
      }
      return batches;
    };

    describe('append', () => {
      it('stores what it was given, whole and in order', async () => {
        const [first, second] = await appended(2, 3);
        const all = await journal.read(1, 100);
        expect(all).to.deep.equal([...first!.events, ...second!.events]);
        expect(await journal.head()).to.deep.equal(second!.head);
        expect(checkChain(EMPTY_HEAD, all)).to.deep.equal(second!.head);
      });

      it('keeps the golden vectors byte for byte', async () => {
        await journal.append(EMPTY_HEAD, goldenEvents);
        expect(await (await open()).read(1, 100)).to.deep.equal(goldenEvents);
      });

      it('keeps any text byte for byte', async () => {
        const title =
          '\u0000\u0001\b\f\n\r\t"\\/ \u007f\u0080 é ß 東京 🦊 \u2028\u2029\ufeff\uffff %s $1 \' ${x} \\u0041';
        const batch = batchAfter(EMPTY_HEAD, 1, 1, title);
        await journal.append(EMPTY_HEAD, batch.events);
        expect(await journal.read(1, 1)).to.deep.equal(batch.events);
      });

      it('refuses a wrong sequence, a wrong hash, and tells where the journal really ends', async () => {
        const [first, second] = await appended(2, 2);
        const other = batchAfter(first!.head, 2, 77);
        await expectWrongHead(journal.append(first!.head, other.events), second!.head);
        const ahead = { hash: 'a'.repeat(64), seq: 9 };
        await expectWrongHead(journal.append(ahead, batchAfter(ahead, 1, 78).events), second!.head);
        const wrongHash = { hash: 'b'.repeat(64), seq: second!.head.seq };
        await expectWrongHead(journal.append(wrongHash, batchAfter(wrongHash, 1, 79).events), second!.head);
        expect(await journal.head()).to.deep.equal(second!.head);
        expect(await journal.read(1, 100)).to.have.lengthOf(4);
      });

      it('refuses on an empty journal what expects a beginning', async () => {
        const ahead = { hash: 'a'.repeat(64), seq: 1 };
        await expectWrongHead(journal.append(ahead, batchAfter(ahead, 1, 1).events), EMPTY_HEAD);
      });

      it('takes the identical batch again as if it were the first time, also an older one, also after reopening', async () => {
        const [first, second] = await appended(2, 3);
        await journal.append(first!.head, second!.events);
        await journal.append(EMPTY_HEAD, first!.events);
        const again = await open();
        await again.append(EMPTY_HEAD, first!.events);
        await again.append(first!.head, second!.events);
        expect(await again.head()).to.deep.equal(second!.head);
        expect(await again.read(1, 100)).to.have.lengthOf(5);
      });

      it('does not take a batch for stored that stands there only in part', async () => {
        const [first, second] = await appended(2, 2);
        const longer = batchAfter(first!.head, 3, 2);
        await expectWrongHead(journal.append(first!.head, longer.events), second!.head);
        const overlapping = [...second!.events, ...batchAfter(second!.head, 1, 90).events];
        await expectWrongHead(journal.append(first!.head, overlapping), second!.head);
        expect(await journal.read(1, 100)).to.have.lengthOf(4);
      });

      it('does not take a resent batch whose expected hash was never there', async () => {
        const [first, second] = await appended(2, 2);
        await expectWrongHead(
          journal.append({ hash: 'c'.repeat(64), seq: first!.head.seq }, second!.events),
          second!.head,
        );
      });

      it('refuses an empty batch, one with a hole, and one that starts elsewhere', async () => {
        const { events } = batchAfter(EMPTY_HEAD, 3, 1);
        for (const batch of [[], [events[0]!, events[2]!], [events[1]!, events[2]!], [events[0]!, events[0]!]]) {
          expect(await failureOf(journal.append(EMPTY_HEAD, batch))).to.be.instanceOf(AppendRefused);
        }
        expect(await journal.head()).to.deep.equal(EMPTY_HEAD);
      });

      it('stores 500 events and 512 KiB at once, refuses more than 1 MiB, and goes on after that', async () => {
        const large = batchAfter(EMPTY_HEAD, 500, 1, 'x'.repeat(600));
        const bytes = large.events.reduce((sum, { publicText }) => sum + publicText.length, 0);
        expect(bytes).to.be.greaterThan(512 * 1024);
        await journal.append(EMPTY_HEAD, large.events);
        const huge = batchAfter(large.head, 2, 2, 'x'.repeat(524_288));
        expect(await failureOf(journal.append(large.head, huge.events))).to.be.instanceOf(AppendRefused);
        expect(await journal.head()).to.deep.equal(large.head);
        const next = batchAfter(large.head, 1, 3);
        await journal.append(large.head, next.events);
        expect(await journal.head()).to.deep.equal(next.head);
      });

      it('lets exactly one of two racing writers win', async () => {
        const other = await open();
        let head = EMPTY_HEAD;
        for (let round = 0; round < 10; round++) {
          const batches = [batchAfter(head, 2, 2 * round + 1), batchAfter(head, 2, 2 * round + 2)];
          const results = await Promise.allSettled([
            journal.append(head, batches[0]!.events),
            other.append(head, batches[1]!.events),
          ]);
          const winner = results.findIndex(({ status }) => status === 'fulfilled');
          const loser = results[1 - winner];
          expect(loser?.status).to.equal('rejected');
          expect((loser as PromiseRejectedResult).reason).to.be.instanceOf(WrongExpectedHead);
          head = batches[winner]!.head;
          expect(await journal.head()).to.deep.equal(head);
        }
        expect(checkChain(EMPTY_HEAD, await journal.read(1, 100))).to.deep.equal(head);
      });
    });

    describe('read and head', () => {
      it('reads nothing from an empty journal and gives its head', async () => {
        expect(await journal.read(1, 10)).to.deep.equal([]);
        expect(await journal.head()).to.deep.equal(EMPTY_HEAD);
      });

      it('reads pages from anywhere, shorter at the end, empty beyond it', async () => {
        await appended(4, 3);
        const seqs = async (from: number, limit: number): Promise<number[]> =>
          (await journal.read(from, limit)).map(({ seq }) => seq);
        expect(await seqs(1, 3)).to.deep.equal([1, 2, 3]);
        expect(await seqs(3, 3)).to.deep.equal([3, 4, 5]);
        expect(await seqs(6, 3)).to.deep.equal([6, 7]);
        expect(await seqs(8, 3)).to.deep.equal([]);
        expect(await seqs(1_000_000, 3)).to.deep.equal([]);
      });
    });

    describe('follow', () => {
      it('gives what is there in pages, then what is appended, by this instance and by another', async () => {
        const [, second] = await appended(5, 2);
        const other = await open();
        const stop = new AbortController();
        const pages: number[][] = [];
        let head = second!.head;
        for await (const page of journal.follow(2, { pageSize: 3, signal: stop.signal })) {
          pages.push(page.map(({ seq }) => seq));
          const last = page.at(-1)!.seq;
          if (last !== head.seq) continue;
          if (last === 12) {
            stop.abort();
          } else {
            const next = batchAfter(head, last === 7 ? 2 : 3, last);
            // When this batch is stored, the loop is waiting for its next page or about to: both must wake it.
            void (last === 7 ? journal : other).append(head, next.events);
            head = next.head;
          }
        }
        expect(pages.flat()).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        expect(pages.slice(0, 2)).to.deep.equal([
          [2, 3, 4],
          [5, 6, 7],
        ]);
      });

      it('starts ahead of the end and waits for it', async () => {
        const [first] = await appended(1);
        const stop = new AbortController();
        const iterator = journal.follow(3, { signal: stop.signal })[Symbol.asyncIterator]();
        const waiting = iterator.next();
        await journal.append(first!.head, batchAfter(first!.head, 3, 2).events);
        const result = await waiting;
        expect((result.value as readonly StoredEvent[]).map(({ seq }) => seq)).to.deep.equal([3, 4]);
        stop.abort();
        expect(await iterator.next()).to.deep.equal({ done: true, value: undefined });
      });

      it('ends without an error: aborted before, aborted while waiting, journal closed', async () => {
        expect(await journal.follow(1, { signal: AbortSignal.abort() })[Symbol.asyncIterator]().next()).to.deep.equal({
          done: true,
          value: undefined,
        });
        const stop = new AbortController();
        const waiting = journal.follow(1, { signal: stop.signal })[Symbol.asyncIterator]().next();
        stop.abort();
        expect((await waiting).done).to.equal(true);
        const open = journal.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]().next();
        await journal.close();
        expect((await open).done).to.equal(true);
      });

      it('serves several followers, each at its own place and speed', async () => {
        const [, last] = await appended(6, 4);
        const stop = new AbortController();
        const collect = async (from: number, pageSize: number): Promise<number[]> => {
          const seqs: number[] = [];
          for await (const page of journal.follow(from, { pageSize, signal: stop.signal })) {
            seqs.push(...page.map(({ seq }) => seq));
            if (seqs.at(-1) === 12) return seqs;
          }
          return seqs;
        };
        const collected = Promise.all([collect(1, 1), collect(4, 4), collect(11, 100)]);
        await journal.append(last!.head, batchAfter(last!.head, 2, 9).events);
        expect(await collected).to.deep.equal([
          [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
          [4, 5, 6, 7, 8, 9, 10, 11, 12],
          [11, 12],
        ]);
        stop.abort();
      });
    });
  });
}
