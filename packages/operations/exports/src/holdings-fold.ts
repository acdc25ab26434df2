import type { FillSide } from '@paper/exchange';
import type { OrderFilled, PositionSettled, SharesMerged } from '@paper/exchange/events';
import type { Outcome } from '@paper/exchange/vocabulary';

/** An account's shares in a market. */
interface Shares {
  yes: number;
  no: number;
}

/** An account's cash and the value of its positions. */
export interface Worth {
  readonly accountId: string;
  readonly cashUnits: number;
  readonly positionsHalfUnits: number;
}

/** The cash and the shares of every account. */
export class HoldingsFold {
  readonly #cashUnits = new Map<string, number>();
  /** Indexed by market, then by account; without empty entries. */
  readonly #shares = new Map<string, Map<string, Shares>>();
  /** Accounts whose cash or shares have changed since the last call of `takeWorths`. */
  #changed = new Set<string>();

  open(accountId: string, cashUnits: number): void {
    this.#cashUnits.set(accountId, cashUnits);
    this.#changed.add(accountId);
  }

  trade({ marketId }: OrderFilled, { accountId, cashUnits, outcome, shares }: FillSide): void {
    this.#pay(accountId, cashUnits);
    this.#move(marketId, accountId, outcome, shares);
  }

  settle({ accountId, marketId, outcome, payoutUnits, shares }: PositionSettled): void {
    this.#pay(accountId, payoutUnits);
    this.#move(marketId, accountId, outcome, -shares);
  }

  /** @throws RangeError where the cash that the event carries is another. */
  merge({ accountId, cashUnits, marketId, quantity }: SharesMerged): void {
    this.#pay(accountId, 10_000 * quantity);
    if (this.#cashUnits.get(accountId) !== cashUnits) throw new RangeError(`account ${accountId} has other cash`);
    this.#move(marketId, accountId, 'yes', -quantity);
    this.#move(marketId, accountId, 'no', -quantity);
  }

  /**
   * The worth of each account that holds shares, or whose cash or shares have changed since the last call; in the order
   * in which accounts were opened.
   *
   * @param yesHalfUnits the value of a YES share of a market, in half units
   */
  takeWorths(yesHalfUnits: (marketId: string) => number): readonly Worth[] {
    const values = new Map<string, number>();
    for (const [marketId, holders] of this.#shares) {
      const yesHalf = yesHalfUnits(marketId);
      for (const [accountId, { no, yes }] of holders) {
        values.set(accountId, (values.get(accountId) ?? 0) + yes * yesHalf + no * (20_000 - yesHalf));
      }
    }
    const worths: Worth[] = [];
    for (const [accountId, cashUnits] of this.#cashUnits) {
      const positionsHalfUnits = values.get(accountId);
      if (positionsHalfUnits === undefined && !this.#changed.has(accountId)) continue;
      worths.push({ accountId, cashUnits, positionsHalfUnits: positionsHalfUnits ?? 0 });
    }
    this.#changed = new Set();
    return worths;
  }

  #pay(accountId: string, units: number): void {
    const before = this.#cashUnits.get(accountId);
    if (before === undefined) throw new RangeError(`an event names account ${accountId}, which was not opened`);
    this.#cashUnits.set(accountId, before + units);
    this.#changed.add(accountId);
  }

  #move(marketId: string, accountId: string, outcome: Outcome, shares: number): void {
    const holders = this.#shares.get(marketId) ?? new Map<string, Shares>();
    const held = holders.get(accountId) ?? { yes: 0, no: 0 };
    held[outcome] += shares;
    if (held[outcome] < 0) throw new RangeError(`account ${accountId} has fewer than no shares of ${marketId}`);
    if (held.yes === 0 && held.no === 0) holders.delete(accountId);
    else holders.set(accountId, held);
    if (holders.size === 0) this.#shares.delete(marketId);
    else this.#shares.set(marketId, holders);
  }
}
