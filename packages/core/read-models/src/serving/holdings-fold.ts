import type { FillSide } from '@paper/exchange';
import type { OrderFilled, PositionSettled, SharesMerged } from '@paper/exchange/events';
import type { Outcome } from '@paper/exchange/vocabulary';

interface Shares {
  yes: number;
  no: number;
}

interface Holdings {
  cashUnits: number;
  readonly shares: Map<string, Shares>;
}

/** The cash and the shares of the accounts that were opened in it. */
export class HoldingsFold {
  readonly #accounts = new Map<string, Holdings>();
  /** Accounts whose cash or shares have changed since the last call of `takeWorths`. */
  #changed = new Set<string>();

  open(accountId: string, cashUnits: number): void {
    this.#accounts.set(accountId, { cashUnits, shares: new Map() });
    this.#changed.add(accountId);
  }

  trade({ marketId }: OrderFilled, { accountId, cashUnits, outcome, shares }: FillSide): void {
    const holdings = this.#change(accountId, cashUnits);
    move(holdings, marketId, outcome, shares);
  }

  settle({ accountId, marketId, outcome, payoutUnits, shares }: PositionSettled): void {
    const holdings = this.#change(accountId, payoutUnits);
    move(holdings, marketId, outcome, -shares);
  }

  /** Turns pairs of shares into cash. @throws RangeError when the event carries another amount of cash */
  merge({ accountId, cashUnits, marketId, quantity }: SharesMerged): void {
    const holdings = this.#change(accountId, 10_000 * quantity);
    if (holdings.cashUnits !== cashUnits) throw new RangeError(`account ${accountId} has other cash`);
    move(holdings, marketId, 'yes', -quantity);
    move(holdings, marketId, 'no', -quantity);
  }

  /** The worths of the accounts that changed since the last call. */
  takeWorths(yesHalfUnits: (marketId: string) => number) {
    const changed = this.#changed;
    this.#changed = new Set();
    return this.worths(yesHalfUnits, changed);
  }

  /** The worths of these accounts (default: of all) at this value of a YES share of a market. */
  worths(yesHalfUnits: (marketId: string) => number, accountIds: Iterable<string> = this.#accounts.keys()) {
    return [...accountIds].map((accountId) => {
      const { cashUnits, shares } = this.#of(accountId);
      let positionsHalfUnits = 0;
      for (const [marketId, { no, yes }] of shares) {
        const yesHalf = yesHalfUnits(marketId);
        positionsHalfUnits += yes * yesHalf + no * (20_000 - yesHalf);
      }
      return { accountId, cashUnits, positionsHalfUnits };
    });
  }

  #change(accountId: string, cashUnits: number): Holdings {
    const holdings = this.#of(accountId);
    holdings.cashUnits += cashUnits;
    this.#changed.add(accountId);
    return holdings;
  }

  #of(accountId: string): Holdings {
    const holdings = this.#accounts.get(accountId);
    if (holdings === undefined) throw new RangeError(`an event names account ${accountId}, which was not opened`);
    return holdings;
  }
}

function move({ shares: all }: Holdings, marketId: string, outcome: Outcome, shares: number): void {
  const held = all.get(marketId) ?? { yes: 0, no: 0 };
  all.set(marketId, held);
  held[outcome] += shares;
  if (held[outcome] < 0) throw new RangeError(`an account has fewer than no shares of ${marketId}`);
  if (held.yes === 0 && held.no === 0) all.delete(marketId);
}
