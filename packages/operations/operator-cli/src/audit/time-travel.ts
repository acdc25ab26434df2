import { accountAt, bookAt, marketTimeline } from '@paper/auditor';
import type { Point, ReadOnlyJournal } from '@paper/auditor';
import type { CsvCell } from '@paper/contracts';
import type { Shown } from './output.ts';

export type View = (journal: ReadOnlyJournal, id: string, point: Point) => Promise<Shown>;

/** Units as dollars, exact with four decimals; half units as probabilities, exact with five. */
const dollars = (units: number): number => units / 10_000;
const dollarsOrNone = (units: number | null): number | null => (units === null ? null : dollars(units));
const probability = (half: number): number => half / 20_000;
const time = (ms: number): string => new Date(ms).toISOString();

export const showTimeline: View = async (journal, marketId, point) => {
  const steps = await marketTimeline(journal, marketId, point);
  const last = steps.at(-1);
  return {
    facts: { marketId, lastEvent: last?.seq ?? null, probability: probability(last?.probabilityHalf ?? 0) },
    name: 'events',
    columns: 'seq,at,type,what,quantity,price,bestBid,bestAsk,probability,accountId,orderId,id'.split(','),
    rows: steps.map((step): CsvCell[] => [
      step.seq,
      time(step.at),
      step.type,
      step.what,
      step.quantity,
      dollarsOrNone(step.priceUnits),
      dollarsOrNone(step.bestBid),
      dollarsOrNone(step.bestAsk),
      probability(step.probabilityHalf),
      step.accountId,
      step.orderId,
      step.id,
    ]),
  };
};

export const showAccount: View = async (journal, accountId, point) => {
  const account = await accountAt(journal, accountId, point);
  return {
    facts: {
      accountId,
      owner: account.owner ?? 'withheld',
      seq: account.seq,
      at: time(account.at),
      cash: dollars(account.cashUnits),
      reserved: dollars(account.reservedUnits),
      equity: dollars(account.equityUnits),
    },
    name: 'holdings',
    columns: 'kind,marketId,side,outcome,shares,reservedShares,price,cost,value,orderId'.split(','),
    rows: [
      ...account.positions.map((held): CsvCell[] => [
        'position',
        held.marketId,
        null,
        held.outcome,
        held.shares,
        held.reservedShares,
        null,
        dollars(held.costUnits),
        dollars(held.valueUnits),
        null,
      ]),
      ...account.openOrders.map((order): CsvCell[] => [
        'open order',
        order.marketId,
        order.side,
        order.outcome,
        order.remaining,
        null,
        dollars(order.priceUnits),
        null,
        null,
        order.orderId,
      ]),
    ],
  };
};

export const showBook: View = async (journal, marketId, point) => {
  const book = await bookAt(journal, marketId, point);
  return {
    facts: {
      marketId,
      seq: book.seq,
      at: time(book.at),
      phase: book.phase,
      pairs: book.pairs,
      probability: probability(book.probabilityHalf),
    },
    name: 'levels',
    columns: ['side', 'yesPrice', 'quantity', 'orders'],
    rows: book.levels.map(({ side, priceUnits, quantity, orders }) => [side, dollars(priceUnits), quantity, orders]),
  };
};

/**
 * Parses a sequence, or a time in ISO 8601; a date alone is its first moment in UTC. @throws Error with the valid
 * forms.
 */
export function parsePoint(text: string | undefined): Point {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,15}$/.test(text)) return { seq: Number(text) };
  const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const ms = iso ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) {
    throw new Error(`--at takes a sequence (12345) or a time with its zone (2026-11-21T12:00:00Z), not ${text}.`);
  }
  return { time: ms };
}
