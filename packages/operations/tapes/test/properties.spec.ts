import { gzipSync } from 'node:zlib';
import { withhold } from '@paper/journal';
import { createRandom, longTest, SimulatedJournal } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { expect } from 'chai';
import { TapeBook, TapeRefused } from '../src/index.ts';
import type { BookSide } from '../src/index.ts';
import { empty, foldOf, sorted } from './naive-book.ts';
import type { NaiveBook } from './naive-book.ts';
import { delta, ndjson, snapshot, tapeOf, trade } from './written-tape.ts';
import type { ReadTape } from './written-tape.ts';

/** A recording of one market, and the book that its messages say, folded as a collector's own example does. */
function recordingOf(
  random: Random,
  mayCross: boolean,
): { readonly lines: readonly unknown[]; readonly book: NaiveBook } {
  let book = empty();
  const lines: unknown[] = [];
  const price = (cents: number): string => (cents / 100).toFixed(4);
  const size = (hundredths: number): string => (hundredths / 100).toFixed(2);
  const side = (of: 'yes' | 'no') => (of === 'yes' ? 'bid' : 'ask');
  const set = (of: 'yes' | 'no', cents: number, hundredths: number): void => {
    const key = of === 'yes' ? cents : 100 - cents;
    const after = (book[side(of)].get(key) ?? 0) + hundredths;
    if (after === 0) book[side(of)].delete(key);
    else book[side(of)].set(key, after);
  };
  let ms = 0;
  for (let step = 0; step < 120; step += 1) {
    ms += random.int(0, 30);
    const of = random.pick(['yes', 'no'] as const);
    const cents = random.int(mayCross ? 40 : 20, mayCross ? 55 : 49);
    const key = of === 'yes' ? cents : 100 - cents;
    const rests = book[side(of)].get(key) ?? 0;
    if (random.chance(0.04)) {
      book = empty();
      const level = (): readonly [number, number] => [random.int(10, 49), random.int(1, 5_000)];
      const [yes, no] = [new Map([level(), level()]), new Map([level(), level()])];
      for (const [at, count] of yes) set('yes', at, count);
      for (const [at, count] of no) set('no', at, count);
      const told = (levels: ReadonlyMap<number, number>) => [...levels].map(([at, n]) => [price(at), size(n)] as const);
      lines.push(snapshot(ms, told(yes), told(no)));
    } else if (rests > 0 && random.chance(0.4)) {
      const count = random.int(1, rests);
      set(of, cents, -count);
      const ts = { ts_ms: ms };
      const taken = trade(ms, of === 'yes' ? 'no' : 'yes', price(key), size(count), ts);
      const less = delta(ms, of, price(cents), size(-count), ts);
      lines.push(...random.pick([[less, taken], [taken, less], [less]]));
    } else {
      const count = random.int(1, 3_000);
      set(of, cents, count);
      lines.push(delta(ms, of, price(cents), size(count), { ts_ms: ms }));
    }
  }
  return { lines, book };
}

const SEEDS = 60;

describe('books of tapes, by seed', function () {
  this.timeout(60_000);

  it('equal a naive fold of the recording, and after each event a naive fold of the events', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { book, lines } = recordingOf(createRandom(seed), false);
      const tape = await tapeOf({ a: lines });
      expect(tape.summary.skipped, `seed ${seed}`).to.deep.equal([]);
      const ours = new TapeBook();
      const folded = foldOf(tape.played, (naive, event) => {
        ours.apply(event);
        const levels = (side: BookSide) =>
          ours.levels(side).map(({ priceUnits, sizeMicros }) => [priceUnits / 100, sizeMicros / 10_000]);
        expect([levels('bid'), levels('ask')], `seed ${seed}`).to.deep.equal(sorted(naive));
      });
      expect(sorted(folded), `seed ${seed}`).to.deep.equal(sorted(book));
    }
  });

  it('never cross, and are the recording’s where that does not cross', async () => {
    let kept = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { book, lines } = recordingOf(createRandom(seed), true);
      const { played, summary } = await tapeOf({ a: lines });
      const crosses = ({ ask, bid }: NaiveBook): boolean => Math.max(0, ...bid.keys()) >= Math.min(100, ...ask.keys());
      const folded = foldOf(played, (naive) => expect(crosses(naive), `seed ${seed}`).to.equal(false));
      kept += summary.skipped.find(({ reason }) => reason === 'crossed')?.count ?? 0;
      if (!crosses(book)) expect(sorted(folded), `seed ${seed}`).to.deep.equal(sorted(book));
    }
    expect(kept).to.be.greaterThan(SEEDS);
  });
});

describe('broken files, by seed', function () {
  this.timeout(120_000);

  let journalLines = '';
  before(async () => {
    const simulated = new SimulatedJournal({ seed: 35 });
    await simulated.run(150);
    const { seq } = await simulated.journal.head();
    journalLines = ndjson((await simulated.journal.read(1, seq)).map(withhold));
  });

  const fuzz = async (seeds: number): Promise<void> => {
    let [played, refused] = [0, 0];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = createRandom(seed);
      const text = random.pick([
        () => ndjson(recordingOf(random, random.chance(0.5)).lines),
        () => tradesOf(random),
        () => journalLines,
      ])();
      const broken = breakIt(random, Buffer.from(text));
      const tape = await tapeOf({ 'a.ndjson': random.chance(0.2) ? gzipSync(broken) : broken }).catch(
        (error: unknown) => error as Error,
      );
      if (tape instanceof Error) {
        refused += 1;
        expect(tape, `seed ${seed}: ${tape.stack}`).to.be.instanceOf(TapeRefused);
        expect(tape.message, `seed ${seed}`).to.match(/ is refused: [^\n]+\.$/);
      } else {
        played += 1;
        check(tape, seed);
      }
    }
    expect([played, refused].every((count) => count > seeds / 10)).to.equal(true);
  };

  it('are played with all that is skipped counted, or refused in one sentence: never a crash', () => fuzz(60));
  it('the same for many seeds (LONG_TESTS=1)', function () {
    longTest(this);
    return fuzz(5_000);
  });
});

function tradesOf(random: Random): string {
  const rows = Array.from({ length: 60 }, (_, index) => {
    const price = (random.int(1, 99) / 100).toFixed(2);
    return `${1_767_625_200 + index},M,${price},${random.int(1, 900)},${random.pick(['', 'yes', 'sell'])}\n`;
  });
  return `time,market,price,size,side\n${rows.join('')}`;
}

const VALUES = ['null', '-1', '1e999', '"0.4"', '[]', '{}', '""', '0', '9007199254740993', '"\\u0000"', 'true'];

function breakIt(random: Random, bytes: Buffer): Buffer {
  const kind = random.int(0, 4);
  if (kind === 0) return bytes.subarray(0, random.int(0, bytes.length));
  if (kind === 1) {
    const noise = Buffer.from(bytes);
    for (let flips = random.int(1, 60); flips > 0; flips -= 1) {
      noise[random.int(0, noise.length - 1)] = random.int(0, 255);
    }
    return noise;
  }
  if (kind === 2) return Buffer.concat([bytes, Buffer.from(random.hex(random.int(1, 4_000)))]);
  // Other values of the right form of JSON.
  return Buffer.from(
    bytes
      .toString()
      .split('\n')
      .map((line) =>
        random.chance(kind === 3 ? 0.05 : 0.4)
          ? line.replace(
              random.pick([/"[-\d.]+"/, /\d{13}/, /"(?:yes|no)"/, /\[.*\]/, /"M"/, /(?<=,)[^,]*(?=,)/, /:\d+/]),
              random.pick(VALUES),
            )
          : line,
      )
      .join('\n'),
  );
}

function check({ lines, played, summary, trades }: ReadTape, seed: number): void {
  expect(lines.skipped * 10, `seed ${seed}`).to.be.at.most(lines.read);
  if (lines.skipped > 0) expect(summary.skipped, `seed ${seed}`).to.not.deep.equal([]);
  expect(played, `seed ${seed}`).to.have.length(summary.events);
  let lastMs = 0;
  const books = new Map<string, TapeBook>();
  for (const event of played) {
    expect(Number.isInteger(event.atMs) && event.atMs >= lastMs, `seed ${seed}`).to.equal(true);
    lastMs = event.atMs;
    if (event.kind === 'news') continue;
    const book = books.get(event.market) ?? new TapeBook();
    books.set(event.market, book);
    for (const { priceUnits, sizeMicros } of book.apply(event)) {
      const isLevel = priceUnits >= 100 && priceUnits <= 9_900 && Number.isSafeInteger(sizeMicros) && sizeMicros >= 0;
      expect(isLevel, `seed ${seed}: ${priceUnits} ${sizeMicros}`).to.equal(true);
    }
    const [bid, ask] = [book.best('bid') ?? 0, book.best('ask') ?? 10_000];
    expect(bid < ask, `seed ${seed}`).to.equal(true);
  }
  const shown = played.filter(({ kind }) => kind === 'trade').length;
  expect(trades.joined + trades.alone, `seed ${seed}`).to.be.at.least(shown);
}
