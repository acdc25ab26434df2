import { PLAIN_ORDER } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import type { JournalEvent } from '@paper/journal';

/** Events as the journal gives them, each array one decision, from `fromSeq` on. */
export function journalEvents(decisions: readonly (readonly ExchangeEvent[])[], fromSeq = 1): JournalEvent[] {
  let seq = fromSeq - 1;
  return decisions.flatMap((events) =>
    events.map((event, index) => {
      seq += 1;
      const id = `id-${seq}`;
      return {
        causationId: id,
        command: null,
        commandId: id,
        correlationId: id,
        decisionEvents: index === 0 ? events.length : null,
        event,
        hash: `hash-${seq}`,
        id,
        seq,
        version: 1,
      };
    }),
  );
}

export const T0 = 1_750_000_000_000;

export const listed = (marketId: string, at = T0): ExchangeEvent => ({
  at,
  bodyHash: 'b',
  category: 'c',
  citationUrl: null,
  closesAt: at + 86_400_000,
  companyImpact: 0,
  companySlug: 'acme',
  description: null,
  drivers: ['oil'],
  marketId,
  phase: 'active',
  priorUnits: 5000,
  sector: 'tech',
  settlementSource: 'filing',
  tickUnits: 100,
  ticker: 'ACM',
  title: `Will ${marketId}?`,
  type: 'MarketListed',
});

export const opened = (accountId: string, startingBalanceUnits = 100_000_000): ExchangeEvent => ({
  accountId,
  at: T0,
  nameDigest: 'd1'.repeat(32),
  startingBalanceUnits,
  type: 'AccountOpened',
});

export const signal = (marketId: string | null, at: number): ExchangeEvent => ({
  at,
  citationUrl: 'https://example.com/a',
  confidence: null,
  event: null,
  externalId: `x-${at}`,
  factValue: null,
  fairProb: 0.6,
  freshnessMs: null,
  headline: 'news',
  marketId,
  publishedAt: at - 5000,
  source: 'wire',
  threshold: null,
  type: 'SignalRecorded',
});

/** A limit order that rests whole. */
export const resting = (
  accountId: string,
  orderId: string,
  marketId: string,
  terms: { side: 'buy' | 'sell'; outcome: 'yes' | 'no'; priceUnits: number; quantity: number; at?: number },
): ExchangeEvent => ({
  accountId,
  ...PLAIN_ORDER,
  at: terms.at ?? T0,
  fillQuantity: 0,
  keyId: null,
  spentUnits: 0,
  marketId,
  notionalUnits: null,
  orderId,
  orderType: 'limit',
  outcome: terms.outcome,
  priceUnits: terms.priceUnits,
  quantity: terms.quantity,
  restQuantity: terms.quantity,
  side: terms.side,
  timeInForce: 'GTC',
  type: 'OrderPlaced',
});

/** A market order for YES that meets a resting bid for NO in full: a mint. */
export const marketBuyMeetsNoBid = (order: {
  marketId: string;
  taker: string;
  takerOrder: string;
  maker: string;
  makerOrder: string;
  yesPriceUnits: number;
  quantity: number;
  makerRemaining: number;
  at?: number;
}): ExchangeEvent[] => {
  const at = order.at ?? T0;
  return [
    {
      accountId: order.taker,
      ...PLAIN_ORDER,
      at,
      fillQuantity: order.quantity,
      keyId: null,
      spentUnits: 0,
      marketId: order.marketId,
      notionalUnits: null,
      orderId: order.takerOrder,
      orderType: 'market',
      outcome: 'yes',
      priceUnits: 9900,
      quantity: order.quantity,
      restQuantity: 0,
      side: 'buy',
      timeInForce: 'IOC',
      type: 'OrderPlaced',
    },
    {
      at,
      kind: 'mint',
      makerAccountId: order.maker,
      makerCostUnits: (10_000 - order.yesPriceUnits) * order.quantity,
      makerOrderId: order.makerOrder,
      makerOutcome: 'no',
      makerRemaining: order.makerRemaining,
      makerSide: 'buy',
      marketId: order.marketId,
      quantity: order.quantity,
      takerAccountId: order.taker,
      takerCostUnits: order.yesPriceUnits * order.quantity,
      takerOrderId: order.takerOrder,
      takerOutcome: 'yes',
      takerRemaining: 0,
      takerSide: 'buy',
      type: 'OrderFilled',
      yesPriceUnits: order.yesPriceUnits,
    },
  ];
};
