import type { Outcome } from '@paper/exchange/vocabulary';
import { objectOf } from '../format.ts';
import type { TapeFormat } from '../format.ts';
import { parsePrice, parseSize } from '../sizes.ts';

const NEEDED = ['time', 'market', 'price', 'size'] as const;

/**
 * Trades without books, as CSV with a header or NDJSON: time (ISO 8601, UTC without an offset; or s or ms since 1970),
 * market, price (of a YES share, in dollars), size (in shares), and optionally side, the taker's action: `yes` or
 * `buy`, `no` or `sell`. Other columns are ignored.
 */
export const trades: TapeFormat = {
  name: 'trades',
  title: 'trades alone',
  synthetic: true,
  recognizes: (line) => columnsOf(line) !== null || isTrade(objectOf(line)),
  createReader() {
    let columns: readonly string[] = [];
    return (line) => {
      // Each file of a folder begins with a header.
      const header = columnsOf(line);
      columns = header ?? columns;
      if (header !== null) return [];
      const row = line.startsWith('{') ? objectOf(line) : rowOf(columns, cellsOf(line));
      if (!isTrade(row)) return null;
      const [atMs, taker] = [timeOf(row['time']), TAKERS.get(textOf(row['side'] ?? '').toLowerCase())];
      if (atMs === null || taker === undefined) return null;
      const [priceUnits, sizeMicros] = [parsePrice(row['price']), parseSize(row['size'])];
      return [{ kind: 'trade', atMs, exchangeMs: atMs, market: row['market'], priceUnits, sizeMicros, taker }];
    };
  },
};

const TAKERS: ReadonlyMap<string, Outcome | null> = new Map([
  ['', null],
  ['yes', 'yes'],
  ['buy', 'yes'],
  ['no', 'no'],
  ['sell', 'no'],
]);

const isTrade = (row: Record<string, unknown> | null): row is Record<string, unknown> =>
  row !== null && NEEDED.every((name) => row[name] !== undefined);

function columnsOf(line: string): readonly string[] | null {
  const columns = cellsOf(line).map((cell) => cell.toLowerCase());
  return NEEDED.every((name) => columns.includes(name)) ? columns : null;
}

function rowOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}

/** RFC 4180, without line breaks in cells. */
function cellsOf(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim());
  const cells = line.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,]*)/g) ?? [];
  return cells.map((cell) => {
    const text = cell.replace(/^,/, '').trim();
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  });
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : 'none';

/** Smaller numbers are seconds: as seconds this is in the year 5138, as milliseconds in 1973. */
const SECONDS_MAX = 100_000_000_000;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?$/;

function timeOf(value: unknown): number | null {
  const text = textOf(value);
  if (/^\d{1,15}(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    return Math.floor(number < SECONDS_MAX ? 1_000 * number : number);
  }
  const [, day, time, zone = 'Z'] = TIME.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(ms) ? null : ms;
}
