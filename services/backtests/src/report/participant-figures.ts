import { dollars, iso, probability } from '@paper/contracts/units';
import { fillSides } from '@paper/exchange';
import type { FillSide } from '@paper/exchange';
import type { OrderFilled, PublicEvent } from '@paper/exchange/events';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import { HoldingsFold } from '@paper/read-models';
import type { LiveBooks } from '@paper/read-models';
import type { BacktestReportBody } from '@paper/contracts/backtests';
import { EquityCurve } from './equity-curve.ts';
import { ofOutcome, yesHalfUnits } from './marks.ts';
import { ratio, toMillionths } from './ratio.ts';

type Fill = BacktestReportBody['participants'][number]['fills'][number];

export interface BeforeFill {
  readonly book: Fill['book'];
  readonly midHalfUnits: number | null;
}

/** The fee at a rate of 1, in 10⁻⁸ dollars: p × (1 − p) a share. */
const feeParts = ({ priceUnits }: FillSide, quantity: number): number =>
  priceUnits * (SHARE_UNITS - priceUnits) * quantity;

/** The trades of one participant by its account and its sub-accounts, and their results. */
export class ParticipantFigures {
  /** What the account began with, and what all accounts of the participant began with. */
  #balanceUnits = 0;
  #startUnits = 0;
  readonly #holdings = new HoldingsFold();
  readonly #curve = new EquityCurve();
  #turnoverUnits = 0;
  #makerUnits = 0;
  #coveredUnits = 0;
  #spreadHalfUnits = 0;
  #feeParts = 0;
  readonly #fills: Fill[] = [];
  /** The time since which each order has had its place in the queue. */
  readonly #placedMs = new Map<string, number>();
  readonly #accountIds: ReadonlySet<string>;

  constructor(
    private readonly accountId: string,
    subAccounts: readonly string[],
  ) {
    this.#accountIds = new Set([accountId, ...subAccounts]);
  }

  #fill(fill: OrderFilled, seq: number, beforeFill: (marketId: string) => BeforeFill): void {
    for (const side of fillSides(fill)) {
      if (!this.#accountIds.has(side.accountId)) continue;
      const before = beforeFill(fill.marketId);
      this.#holdings.trade(fill, side);
      const costUnits = side.priceUnits * fill.quantity;
      this.#turnoverUnits += costUnits;
      if (side.role === 'maker') {
        this.#makerUnits += costUnits;
      } else {
        this.#feeParts += feeParts(side, fill.quantity);
        if (before.midHalfUnits !== null) {
          const paid = (2 * side.priceUnits - ofOutcome(side.outcome, before.midHalfUnits)) * fill.quantity;
          this.#spreadHalfUnits += side.side === 'buy' ? paid : -paid;
          this.#coveredUnits += costUnits;
        }
      }
      this.#fills.push({
        seq,
        at: iso(fill.at),
        marketId: fill.marketId,
        orderId: side.orderId,
        role: side.role,
        outcome: side.outcome,
        side: side.side,
        price: dollars(side.priceUnits),
        quantity: fill.quantity,
        queueWaitMs: side.role === 'maker' ? fill.at - (this.#placedMs.get(side.orderId) ?? fill.at) : null,
        book: before.book,
      });
    }
  }

  /** Applies an event. `beforeFill` reads a market as it was before the event's decision. */
  apply(event: PublicEvent, seq: number, beforeFill: (marketId: string) => BeforeFill): void {
    if (event.type === 'OrderFilled') this.#fill(event, seq, beforeFill);
    if (!('accountId' in event) || !this.#accountIds.has(event.accountId)) return;
    if (event.type === 'OrderPlaced' || event.type === 'OrderReplaced') {
      this.#placedMs.set(event.orderId, event.at);
    } else if (event.type === 'SharesMerged') {
      this.#holdings.merge(event);
    } else if (event.type === 'PositionSettled') {
      this.#holdings.settle(event);
    } else if (event.type === 'AccountOpened' || event.type === 'SubAccountOpened') {
      this.#startUnits += event.startingBalanceUnits;
      this.#holdings.open(event.accountId, event.startingBalanceUnits);
      if (event.accountId !== this.accountId) return;
      this.#balanceUnits = event.startingBalanceUnits;
      this.#curve.add({ atMs: event.at, halfUnits: 2 * event.startingBalanceUnits, seq });
    }
  }

  endOfMoment(atMs: number, seq: number, books: LiveBooks): void {
    if (this.#curve.halfUnits === null) return;
    const worths = this.#holdings.worths((marketId) => yesHalfUnits(books, marketId));
    const halfUnits = worths.reduce((sum, one) => sum + 2 * one.cashUnits + one.positionsHalfUnits, 0);
    this.#curve.add({ atMs, halfUnits, seq });
  }

  fees(rate: number): number {
    return toMillionths((rate * this.#feeParts) / (SHARE_UNITS * SHARE_UNITS));
  }

  report(rate: number) {
    const pnlHalfUnits = (this.#curve.halfUnits ?? 2 * this.#startUnits) - 2 * this.#startUnits;
    return {
      accountId: this.accountId,
      pnl: probability(pnlHalfUnits),
      return: ratio(pnlHalfUnits, 2 * this.#balanceUnits),
      maxDrawdown: this.#curve.maxDrawdown(),
      turnover: dollars(this.#turnoverUnits),
      makerShare: ratio(this.#makerUnits, this.#turnoverUnits),
      spreadPaid: {
        amount: probability(this.#spreadHalfUnits),
        coverage: ratio(this.#coveredUnits, this.#turnoverUnits),
      },
      fees: this.fees(rate),
      equity: this.#curve.points(),
      fills: this.#fills,
    };
  }
}
