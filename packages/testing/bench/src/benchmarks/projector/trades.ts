import { PLAIN_ORDER } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange';
import type { JournalEvent } from '@paper/journal';
import { marketId } from '../boards/fill.ts';

/** Events of one trade: an order that rests, one that takes it, the fill. */
export const EVENTS_OF_TRADE = 3;

const START_AT = 1_790_000_000_000;
const TRADES_A_SECOND = 1_000;

export interface Traders {
  /** Trades are between this many accounts (`account-0` and so on), in as many of the first markets. */
  readonly accounts: number;
  readonly markets: number;
}

/**
 * `count` trades after the first `done`, as journal events: each mints a pair of one YES and one NO share, between
 * other accounts, in another market and at another price, so that it changes its market's price.
 */
export function trades({ accounts, markets }: Traders, done: number, count: number): JournalEvent[] {
  const events: JournalEvent[] = [];
  for (let n = done; n < done + count; n += 1) {
    const at = START_AT + Math.floor((n * 1000) / TRADES_A_SECOND);
    const common = { at, marketId: marketId((n * 7) % markets), quantity: 1 };
    const yesPriceUnits = 4000 + 100 * (n % 20);
    const [maker, taker] = [`account-${(n * 31) % accounts}`, `account-${(n * 31 + 17) % accounts}`];
    const order = {
      ...common,
      ...PLAIN_ORDER,
      keyId: null,
      spentUnits: 0,
      notionalUnits: null,
      orderType: 'limit',
      side: 'buy',
      type: 'OrderPlaced',
    } as const;
    add(events, n * EVENTS_OF_TRADE, [
      {
        ...order,
        accountId: maker,
        fillQuantity: 0,
        orderId: `bench-maker-${n}`,
        outcome: 'no',
        priceUnits: 10_000 - yesPriceUnits,
        restQuantity: 1,
        timeInForce: 'GTC',
      },
    ]);
    add(events, n * EVENTS_OF_TRADE + 1, [
      {
        ...order,
        accountId: taker,
        fillQuantity: 1,
        orderId: `bench-taker-${n}`,
        outcome: 'yes',
        priceUnits: yesPriceUnits,
        restQuantity: 0,
        timeInForce: 'IOC',
      },
      {
        ...common,
        kind: 'mint',
        makerAccountId: maker,
        makerCostUnits: 10_000 - yesPriceUnits,
        makerOrderId: `bench-maker-${n}`,
        makerOutcome: 'no',
        makerRemaining: 0,
        makerSide: 'buy',
        takerAccountId: taker,
        takerCostUnits: yesPriceUnits,
        takerOrderId: `bench-taker-${n}`,
        takerOutcome: 'yes',
        takerRemaining: 0,
        takerSide: 'buy',
        type: 'OrderFilled',
        yesPriceUnits,
      },
    ]);
  }
  return events;
}

/** Adds one decision, whose first event follows `seq`. */
function add(journaled: JournalEvent[], seq: number, events: readonly ExchangeEvent[]): void {
  for (const [index, event] of events.entries()) {
    const id = `event-${seq + index + 1}`;
    journaled.push({
      causationId: id,
      command: null,
      commandId: id,
      correlationId: id,
      decisionEvents: index === 0 ? events.length : null,
      event,
      hash: id,
      id,
      seq: seq + index + 1,
      version: 1,
    });
  }
}
