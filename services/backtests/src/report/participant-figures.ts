import { dollars, iso, probability } from '@paper/contracts/units';
import { fillSides } from '@paper/exchange';
import type { FillSide } from '@paper/exchange';
import type { OrderFilled, PublicEvent } from '@paper/exchange/events';
import { OUTCOMES, SHARE_UNITS } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';
import type { LiveBooks } from '@paper/read-models';
import type { BacktestReportBody } from '@paper/contracts/backtests';
import { EquityCurve } from './equity-curve.ts';
import { markHalfUnits, ofOutcome } from './marks.ts';
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
  #startUnits = 0;
  readonly #cashUnits = new Map<string, number>();
  readonly #held = new Map<string, Record<Outcome, number>>();
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

  has(accountId: string): boolean {
    return this.#accountIds.has(accountId);
  }

  filled(fill: OrderFilled, seq: number, before: BeforeFill): void {
    for (const side of fillSides(fill)) {
      if (!this.has(side.accountId)) continue;
      this.#pay(side.accountId, side.cashUnits);
      this.#holding(fill.marketId)[side.outcome] += side.shares;
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

  apply(event: PublicEvent, seq: number): void {
    if (!('accountId' in event) || !this.has(event.accountId)) return;
    if (event.type === 'OrderPlaced' || event.type === 'OrderReplaced') {
      this.#placedMs.set(event.orderId, event.at);
    } else if (event.type === 'SharesMerged') {
      const held = this.#holding(event.marketId);
      held.yes -= event.quantity;
      held.no -= event.quantity;
      this.#cashUnits.set(event.accountId, event.cashUnits);
    } else if (event.type === 'PositionSettled') {
      this.#holding(event.marketId)[event.outcome] -= event.shares;
      this.#pay(event.accountId, event.payoutUnits);
    } else if (event.type === 'AccountOpened' || event.type === 'SubAccountOpened') {
      this.#startUnits += event.startingBalanceUnits;
      this.#pay(event.accountId, event.startingBalanceUnits);
      if (event.accountId !== this.accountId) return;
      this.#curve.add({ atMs: event.at, halfUnits: 2 * event.startingBalanceUnits, seq });
    }
  }

  endOfMoment(atMs: number, seq: number, books: LiveBooks): void {
    if (this.#curve.halfUnits === null) return;
    let halfUnits = 0;
    for (const units of this.#cashUnits.values()) halfUnits += 2 * units;
    for (const [marketId, held] of this.#held) {
      if (held.yes === 0 && held.no === 0) {
        this.#held.delete(marketId);
        continue;
      }
      for (const outcome of OUTCOMES) halfUnits += held[outcome] * markHalfUnits(books, marketId, outcome);
    }
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
      return: ratio(pnlHalfUnits, 2 * this.#startUnits),
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

  #pay(accountId: string, units: number): void {
    this.#cashUnits.set(accountId, (this.#cashUnits.get(accountId) ?? 0) + units);
  }

  #holding(marketId: string): Record<Outcome, number> {
    const held = this.#held.get(marketId) ?? { no: 0, yes: 0 };
    this.#held.set(marketId, held);
    return held;
  }
}
