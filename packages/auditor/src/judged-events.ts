import type { Outcome, Permission, Settings, Side } from './judged-commands.ts';

/** The events that the auditor judges, as it believes them to be; see judged-commands.ts. */
export interface OrderPlaced {
  readonly type: 'OrderPlaced';
  readonly accountId: string;
  readonly at: number;
  readonly fillQuantity: number;
  readonly marketId: string;
  readonly notionalUnits: number | null;
  readonly orderId: string;
  readonly orderType: 'limit' | 'market';
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly quantity: number;
  readonly restQuantity: number;
  readonly side: Side;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
}

export interface OrderFilled {
  readonly type: 'OrderFilled';
  readonly at: number;
  readonly kind: 'transfer' | 'mint' | 'merge';
  readonly makerAccountId: string;
  readonly makerCostUnits: number;
  readonly makerOrderId: string;
  readonly makerOutcome: Outcome;
  readonly makerRemaining: number;
  readonly makerSide: Side;
  readonly marketId: string;
  readonly quantity: number;
  readonly takerAccountId: string;
  readonly takerCostUnits: number;
  readonly takerOrderId: string;
  readonly takerOutcome: Outcome;
  readonly takerRemaining: number;
  readonly takerSide: Side;
  readonly yesPriceUnits: number;
}

export type CancelReason =
  | 'user'
  | 'ioc_remainder'
  | 'fok_unfillable'
  | 'self_trade'
  | 'no_liquidity'
  | 'fill_limit'
  | 'market_closed'
  | 'market_resolved';

export interface OrderCancelled {
  readonly type: 'OrderCancelled';
  readonly accountId: string;
  readonly at: number;
  readonly marketId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly quantity: number;
  readonly reason: CancelReason;
  readonly resting: boolean;
  readonly side: Side;
}

export interface PositionSettled {
  readonly type: 'PositionSettled';
  readonly accountId: string;
  readonly at: number;
  readonly costUnits: number;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly payoutUnits: number;
  readonly shares: number;
}

export interface MarketSettled {
  readonly type: 'MarketSettled';
  readonly at: number;
  readonly cancelledOrders: number;
  readonly marketId: string;
  readonly paidUnits: number;
  readonly settledAccounts: number;
}

interface MarketEvent<Type extends string> {
  readonly type: Type;
  readonly at: number;
  readonly marketId: string;
}

export type JudgedEvent =
  | OrderPlaced
  | OrderFilled
  | OrderCancelled
  | PositionSettled
  | MarketSettled
  | { readonly type: 'WriterEpochStarted'; readonly at: number; readonly epoch: number; readonly settings: Settings }
  | {
      readonly type: 'AccountOpened';
      readonly accountId: string;
      readonly at: number;
      readonly startingBalanceUnits: number;
    }
  | {
      readonly type: 'SubAccountOpened';
      readonly accountId: string;
      readonly at: number;
      readonly permissions: readonly Permission[];
      readonly primaryAccountId: string;
      readonly startingBalanceUnits: number;
    }
  | { readonly type: 'AccountApproved'; readonly accountId: string; readonly at: number }
  | {
      readonly type: 'ApiKeyIssued';
      readonly accountId: string;
      readonly at: number;
      readonly keyId: string;
      readonly permissions: readonly Permission[];
    }
  | { readonly type: 'ApiKeyRevoked'; readonly accountId: string; readonly at: number; readonly keyId: string }
  | (MarketEvent<'MarketListed'> & { readonly phase: 'active' | 'scheduled'; readonly tickUnits: number })
  | MarketEvent<'MarketAmended'>
  | MarketEvent<'MarketActivated'>
  | MarketEvent<'MarketPaused'>
  | MarketEvent<'MarketClosed'>
  | (MarketEvent<'MarketResolved'> & { readonly outcome: Outcome; readonly poolUnits: number })
  | (MarketEvent<'MarketVoided'> & { readonly poolUnits: number; readonly priceUnits: number })
  | { readonly type: 'SignalRecorded'; readonly at: number; readonly marketId: string | null };
