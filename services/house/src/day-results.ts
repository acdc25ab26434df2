import { DAY_MS } from '@paper/contracts/units';
import type { FillBody } from '@paper/contracts/orders';
import { readPages } from 'paper-trading-client';
import type { Requests } from 'paper-trading-client';
import type { Anchor } from './anchors.ts';
import { holdings, assertNotDelayed, unitsOf } from './api-answers.ts';
import { NOTHING_HELD } from './quotes.ts';
import type { Holding, LossLimits } from './quotes.ts';

const SHARE_UNITS = 10_000;
const FILLS_AT_START = 500;
const FILLS_LATER = 20;

interface Change {
  cashUnits: number;
  yes: number;
  no: number;
}

/** One account's day: its shares as last read, and the changes from this day's fills. */
interface AccountDay {
  readonly changes: Map<string, Change>;
  held: ReadonlyMap<string, Holding>;
  /** The journal sequence of the last fill that is counted. */
  lastSeq: number;
}

export type ResultsClient = Requests<'getPositions' | 'listFills'>;

/**
 * The result of both bots together in each market since 00:00 UTC, from their accounts' own fills, with every share
 * valued at the anchor. After a restart, losses in the value of shares held since before the day are forgotten. Quotes
 * are only as large as `lossLimits` says, so a jump of the fair value to 0 or 1 costs at most the rest of the day's budget.
 * So a trader who reads signals first wins at most one budget a market and day, plus what one order of the taker can
 * lose.
 */
export class DayResults {
  readonly #accounts = new Map<string, AccountDay>();
  /** Each market's anchor when this process first saw the market today. */
  readonly #firstAnchors = new Map<string, number>();
  #dayStart = -Infinity;

  constructor(readonly budgetUnits: number) {}

  /** Reads an account's shares, and its fills since the last call. Throws ApiRefusal, RetryLater. */
  async read(account: string, client: ResultsClient, nowMs: number): Promise<ReadonlyMap<string, Holding>> {
    this.#beginDay(nowMs);
    const answer = await client.request('getPositions', {});
    assertNotDelayed(answer);
    const positions = answer.body;
    const day = this.#accounts.get(account) ?? { changes: new Map<string, Change>(), held: new Map(), lastSeq: 0 };
    const isNew = ({ seq, createdAt }: FillBody): boolean =>
      seq > day.lastSeq && Date.parse(createdAt) >= this.#dayStart;
    const limit = day.lastSeq === 0 ? FILLS_AT_START : FILLS_LATER;
    const fills = await readPages(
      (cursor) => client.request('listFills', { query: { limit, cursor } }),
      (page) => page.every(isNew),
    );
    // Fills that came after the positions were read are counted in the next call, with positions that include them.
    for (const fill of fills.filter((fill) => isNew(fill) && fill.seq <= positions.seq)) count(day.changes, fill);
    day.lastSeq = positions.seq;
    day.held = holdings(positions);
    this.#accounts.set(account, day);
    return day.held;
  }

  /** The result of both bots in a market today, in units; below 0 for a loss. */
  resultUnits({ marketId, anchorUnits }: Anchor): number {
    const first = this.#firstAnchors.get(marketId) ?? anchorUnits;
    this.#firstAnchors.set(marketId, first);
    let sum = 0;
    for (const { changes, held } of this.#accounts.values()) {
      const now = held.get(marketId) ?? NOTHING_HELD;
      const { cashUnits, yes, no } = changes.get(marketId) ?? { cashUnits: 0, yes: 0, no: 0 };
      const carried = now.yes - yes - (now.no - no);
      sum += cashUnits + yes * anchorUnits + no * (SHARE_UNITS - anchorUnits) + carried * (anchorUnits - first);
    }
    return sum;
  }

  /** The most that new quotes and orders in a market may cost, so that the day's loss stays within the budget. */
  lossLimits(anchor: Anchor): LossLimits {
    const left = Math.min(this.budgetUnits, this.budgetUnits + this.resultUnits(anchor));
    let net = 0;
    for (const { held } of this.#accounts.values()) {
      const { yes, no } = held.get(anchor.marketId) ?? NOTHING_HELD;
      net += yes - no;
    }
    return {
      bidUnits: Math.max(0, left - net * anchor.anchorUnits),
      askUnits: Math.max(0, left + net * (SHARE_UNITS - anchor.anchorUnits)),
    };
  }

  #beginDay(nowMs: number): void {
    const dayStart = Math.floor(nowMs / DAY_MS) * DAY_MS;
    if (dayStart === this.#dayStart) return;
    this.#dayStart = dayStart;
    this.#firstAnchors.clear();
    for (const { changes } of this.#accounts.values()) changes.clear();
  }
}

function count(changes: Map<string, Change>, { marketId, outcome, side, price, quantity }: FillBody): void {
  const change = changes.get(marketId) ?? { cashUnits: 0, yes: 0, no: 0 };
  const sign = side === 'buy' ? 1 : -1;
  change.cashUnits -= sign * unitsOf(price) * quantity;
  change[outcome] += sign * quantity;
  changes.set(marketId, change);
}
