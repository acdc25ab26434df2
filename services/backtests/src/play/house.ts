import { createHash } from 'node:crypto';
import { eventOf } from '@paper/command-api';
import type { Decision } from '@paper/exchange';
import { PLAIN_ORDER } from '@paper/exchange/commands';
import type { Actor } from '@paper/exchange/commands';
import type { ExchangeEvent, OrderFilled } from '@paper/exchange/events';
import type { Outcome } from '@paper/exchange/vocabulary';
import { TAPE_OPERATOR } from '@paper/exchange/vocabulary';
import type { PlayedExchange } from '../playing.ts';

/** The most money with which an account can start. */
const BALANCE_UNITS = 100_000_000_000;
/** If an account has less money than this, its pairs are merged. */
const LOW_UNITS = BALANCE_UNITS / 10;

export const BY_OPERATOR: Actor = { kind: 'operator', name: TAPE_OPERATOR };

export interface Placed {
  readonly orderId: string;
  readonly fills: readonly OrderFilled[];
  readonly rested: number;
}

/** One of the two accounts that play a tape. It only buys, so in the end it holds pairs of YES and NO shares. */
export class House {
  readonly #by: Actor;
  /** Markets in which the account may have shares. */
  readonly #bought = new Set<string>();
  /** The shares of orders for which the account lacked the money even after merging its pairs. */
  unfunded = 0;

  private constructor(
    private readonly exchange: PlayedExchange,
    readonly accountId: string,
    keyId: string,
  ) {
    this.#by = { kind: 'key', accountId, keyId };
  }

  static async open(exchange: PlayedExchange, name: string): Promise<House> {
    // No header can hold a line feed, so no request can have the key of this hash.
    const hash = createHash('sha256').update(`the key of\n${name}`).digest('hex');
    const decision = await exchange.submit(BY_OPERATOR, {
      type: 'OpenAccount',
      accountId: exchange.newId(),
      keyHash: hash,
      keyId: exchange.newId(),
      last4: hash.slice(-4),
      nameDigest: createHash('sha256').update(name).digest('hex'),
      permissions: ['trade'],
      startingBalanceUnits: BALANCE_UNITS,
    });
    requireAccepted(decision);
    const { accountId, keyId } = eventOf(decision, 'ApiKeyIssued');
    return new House(exchange, accountId, keyId);
  }

  /** Buys at a price of the outcome, and again after a limit of fills. Counts the shares that lack the money. */
  async buy(marketId: string, outcome: Outcome, priceUnits: number, quantity: number, timeInForce: 'GTC' | 'IOC') {
    const fills: OrderFilled[] = [];
    for (let left = quantity; ;) {
      const decision = await this.exchange.submit(this.#by, {
        ...PLAIN_ORDER,
        accountId: null,
        marketId,
        maxPriceUnits: null,
        notionalUnits: null,
        offTick: false,
        orderId: this.exchange.newId(),
        orderType: 'limit',
        outcome,
        priceUnits,
        quantity: left,
        side: 'buy',
        slippageUnits: null,
        timeInForce,
        type: 'PlaceOrder',
      });
      if (decision.kind === 'rejected' && decision.code === 'market_not_active') return null;
      if (decision.kind === 'rejected' && decision.code === 'insufficient_balance') {
        if (await this.#merge()) continue;
        this.unfunded += left;
        return null;
      }
      const events = requireAccepted(decision);
      const { fillQuantity, orderId, restQuantity } = eventOf(decision, 'OrderPlaced');
      for (const event of events) if (event.type === 'OrderFilled') fills.push(event);
      left -= fillQuantity;
      this.#bought.add(marketId);
      const last = events.at(-1);
      if (last?.type === 'OrderCancelled' && last.reason === 'fill_limit' && fillQuantity > 0) continue;
      if (this.#freeUnits < LOW_UNITS) await this.#merge();
      return { fills, orderId, rested: restQuantity };
    }
  }

  async cancel(orderId: string): Promise<void> {
    requireAccepted(await this.exchange.submit(this.#by, { type: 'CancelOrder', orderId }));
  }

  /** Lowers the total of a resting order, which keeps its place in the queue. */
  async lower(orderId: string, quantity: number): Promise<void> {
    const command = { type: 'AmendOrder', offTick: false, orderId, priceUnits: null, quantity } as const;
    requireAccepted(await this.exchange.submit(this.#by, command));
  }

  get #freeUnits(): number {
    const account = this.exchange.state().accounts.get(this.accountId);
    return account === undefined ? 0 : account.cashUnits - account.reservedUnits;
  }

  async #merge(): Promise<boolean> {
    const { accounts, markets } = this.exchange.state();
    const account = accounts.get(this.accountId);
    let merged = false;
    for (const marketId of this.#bought) {
      const position = account === undefined ? null : (markets.get(marketId)?.positionOf(account) ?? null);
      if (position === null || Math.min(position.free('yes'), position.free('no')) === 0) continue;
      await this.exchange.submit(this.#by, { type: 'MergeShares', marketId, quantity: null });
      merged = true;
    }
    return merged;
  }
}

/** The events of a command that must be accepted, or else the tape cannot be played: then throws Error. */
export function requireAccepted(decision: Decision): readonly ExchangeEvent[] {
  if (decision.kind === 'accepted') return decision.events;
  throw new Error(
    decision.kind === 'rejected'
      ? `the tape cannot be played: ${decision.code}: ${decision.message}`
      : `the tape cannot be played: a command was ${decision.kind}`,
  );
}
