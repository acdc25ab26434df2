import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { empty, foldOf, sorted } from './naive-book.ts';
import type { NaiveBook } from './naive-book.ts';
import { readTape } from './written-tape.ts';

/** Public recordings, where a user has them: github.com/zkiihne/kalshi-gold15m-sample. */
const EVENTS = path.join(process.env['GOLD_DIR'] ?? '/nowhere', 'events');

interface Recorded {
  readonly event: {
    readonly type: string;
    readonly msg: {
      readonly delta_fp: string;
      readonly no_dollars_fp?: readonly (readonly [string, string])[];
      readonly price_dollars: string;
      readonly side: 'yes' | 'no';
      readonly yes_dollars_fp?: readonly (readonly [string, string])[];
    };
  };
}

const cents = (dollars: string): number => Math.round(100 * Number(dollars));

/** The book that the messages themselves say, before each snapshot and at the end. */
function foldMessages(text: string): readonly unknown[] {
  let book: NaiveBook = empty();
  const books: unknown[] = [];
  const set = (side: 'yes' | 'no', price: string, size: (before: number) => number): void => {
    const [levels, key] = side === 'yes' ? [book.bid, cents(price)] : [book.ask, 100 - cents(price)];
    const after = size(levels.get(key) ?? 0);
    if (after === 0) levels.delete(key);
    else levels.set(key, after);
  };
  for (const line of text.trimEnd().split('\n')) {
    const { msg, type } = (JSON.parse(line) as Recorded).event;
    if (type === 'orderbook_delta') set(msg.side, msg.price_dollars, (before) => before + cents(msg.delta_fp));
    if (type !== 'orderbook_snapshot') continue;
    books.push(sorted(book));
    book = empty();
    for (const [price, size] of msg.yes_dollars_fp ?? []) set('yes', price, () => cents(size));
    for (const [price, size] of msg.no_dollars_fp ?? []) set('no', price, () => cents(size));
  }
  return [...books, sorted(book)];
}

describe('recorded windows of gold', function () {
  this.timeout(120_000);
  const windows = existsSync(EVENTS) ? readdirSync(EVENTS) : [];
  if (windows.length === 0) it('need their folder in GOLD_DIR');

  for (const window of windows) {
    it(`have the book of their messages before each snapshot, and a level for each trade: ${window}`, async () => {
      const folder = path.join(EVENTS, window);
      const files = readdirSync(folder)
        .filter((name) => name.endsWith('.gz'))
        .sort();
      const text = files.map((name) => gunzipSync(readFileSync(path.join(folder, name))).toString()).join('');
      const { lines, played, summary, trades } = await readTape(folder);
      expect(summary.skipped).to.deep.equal([]);
      expect(trades).to.include({ alone: 0, inferred: 0, noSide: 0 });
      const events = played.filter(({ kind }) => kind !== 'outcome');
      expect(events).to.have.length(lines.read - trades.joined);
      const books: unknown[] = [];
      let before: unknown = sorted(empty());
      let index = 0;
      const last = foldOf(events, (book, event) => {
        if (event.kind === 'levels') books.push(before);
        // Only what stands before a snapshot is compared.
        index += 1;
        if (events[index]?.kind === 'levels') before = sorted(book);
      });
      expect([...books, sorted(last)]).to.deep.equal(foldMessages(text));
    });
  }
});
