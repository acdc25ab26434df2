// Generated from the endpoints of @paper/contracts by `npm run build:client-types`. Do not edit.

/** A decimal number: a number, or its exact text such as '0.41'. */
export type Decimal = number | string;

export interface MarketSignal<D = number> {
    readonly marketId: string;
    readonly title: string;
    readonly companySlug: string;
    readonly sector: string;
    readonly category: string;
    readonly settlementSource: string;
    /**
     * The market's own probability.
     */
    readonly probability: D;
    /** The number of shares traded. */
    readonly volume: number;
    /**
     * The weight that the listing gives the market, 0 to 1.
     */
    readonly companyImpact: D;
    /**
     * The probability minus that of 24 h ago; for a younger market minus its prior.
     */
    readonly snapshotDelta: D;
    /**
     * The days until the market closes; 0 after that.
     */
    readonly daysToEnd: D;
    /** The shares traded in the last 24 h minus those of the 24 h before. */
    readonly volumeDelta: number;
    /**
     * The mean probability of the sector's active markets, including this one.
     */
    readonly sectorAvgProb: D;
    /** The number of outstanding pairs of one YES and one NO share. */
    readonly openInterest: number;
    /**
     * The PageRank of the market in the market graph, divided by the largest one. The graph joins active markets by company (weight 3), by each shared driver (2) and by sector (1). If more than 65 markets share one of these, it joins each with its 64 nearest in the order of ids, as on a ring.
     */
    readonly graphCentrality: D;
    /**
     * min(1, the cluster's share of all open interest × its mean |snapshotDelta| × 10).
     */
    readonly clusterRiskScore: D;
    /**
     * For the newest cited fair value: confidence (default 0.5) × exp(−age / 24 h) × (1 − |fair value − probability|), with the age since its publication. 0 if there is no fair value.
     */
    readonly oracleScore: D;
    /**
     * The mean snapshotDelta of the market's neighbours, weighted by edge; null without neighbours.
     */
    readonly neighborSignal: D | null;
    readonly bestYesBid: D | null;
    readonly bestNoBid: D | null;
    readonly bestYesAsk: D | null;
    readonly spread: D | null;
    /**
     * The mean probability of the company's other active markets; null if there are none.
     */
    readonly siblingAvgProb: D | null;
    /** The drivers that the listing names. */
    readonly relatedDrivers: readonly string[];
    /** The communities of the market graph that the market belongs to (Louvain with a fixed seed). Each is named after its smallest member, and all are recomputed when listings change. */
    readonly clusterIds: readonly string[];
    /** The five newest cited signals about the market, newest first. */
    readonly recentEvents: readonly RecentEvent<D>[];
}

export interface RecentEvent<D = number> {
    readonly id: string;
    readonly source: string;
    readonly headline: string;
    readonly citationUrl: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly publishedAt: string;
    /**
     * The market's probability just before the signal.
     */
    readonly marketProbBefore: D | null;
    /**
     * The market's probability after its last event within 60 s of the signal. At first it equals marketProbBefore.
     */
    readonly marketProbAfter: D | null;
    /**
     * The fair probability, according to the source.
     */
    readonly fairProb: D | null;
}

export interface MarketEvents<D = number> {
    readonly marketId: string;
    readonly timeline: readonly TimelineEntry<D>[];
    /** The number of items in this answer. */
    readonly count: number;
}

export interface TimelineEntry<D = number> {
    /**
     * The kind of the entry. A void market is a resolution too, with the event MarketVoided.
     */
    readonly kind: "signal" | "trade" | "resolution";
    /** The time when the signal was published, else the time of the event. */
    readonly date: string;
    /** The headline. For a trade "10 YES at 0.55", in the terms of the taker's outcome. */
    readonly headline: string;
    /** The source of a signal; `exchange` for trades and resolutions. */
    readonly source: string;
    /** The event that the signal names, else the type of the journal's event. */
    readonly event: string;
    readonly citationUrl: string | null;
    /**
     * The fair probability, according to the source.
     */
    readonly fairProb: D | null;
    /**
     * The market's probability just before.
     */
    readonly marketProbBefore: D | null;
    /**
     * The market's probability just after. For a signal: after the market's last event within 60 s; at first it equals marketProbBefore.
     */
    readonly marketProbAfter: D | null;
    readonly factValue: D | null;
    readonly threshold: D | null;
    readonly confidence: D | null;
    /** The age of the signal in ms when it was recorded, unless its source gave another value. */
    readonly freshnessMs: number | null;
    /**
     * The market's probability after this entry.
     */
    readonly probability: D;
    /** The id of the signal at its source. For a trade or resolution: the id of its event in the journal. */
    readonly externalId: string | null;
    /** For a trade: the id of the market's newest signal within the 24 h before it. */
    readonly relatedSignalId: string | null;
    /** Whether the probability is not based on any trade or quote. */
    readonly interpolated: boolean;
}

export interface Candles<D = number> {
    readonly marketId: string;
    /**
     * Minutes.
     */
    readonly period: 1 | 5 | 15 | 60 | 1440;
    readonly candles: readonly Candle<D>[];
}

export interface Candle<D = number> {
    /** The start of the period: a multiple of the period since 1970 UTC. */
    readonly start: string;
    /**
     * The first price; without a trade in the period the close before it.
     */
    readonly open: D;
    readonly high: D;
    readonly low: D;
    /**
     * The last price. In the period that is under way, the last one so far.
     */
    readonly close: D;
    /** The number of shares traded. */
    readonly volume: number;
    /** The number of trades; 0 where the prices are those of an earlier trade. */
    readonly trades: number;
    /**
     * The best YES bid after the last event before the period's end; null: there was none.
     */
    readonly yesBidClose: D | null;
    /**
     * The best YES ask after the last event before the period's end; null: there was none.
     */
    readonly yesAskClose: D | null;
}

export interface Moments<D = number> {
    readonly moments: readonly {
        /** The journal sequence of the event: a value for `asOfSeq`. */
        readonly seq: number;
        /** ISO 8601, UTC, with milliseconds. */
        readonly at: string;
        /**
         * The market's, just after the event.
         */
        readonly probability: D;
    }[];
}

export interface LeaderboardEntry<D = number> {
    readonly id: string;
    readonly displayName: string;
    /** 1 plus the number of rows with a higher portfolioValue. Of equal values, the older account comes first. */
    readonly rank: number;
    /**
     * Dollars, including what open orders reserve.
     */
    readonly cash: D;
    /**
     * Σ shares × mark; the mark is the market's probability for YES, 1 minus it for NO.
     */
    readonly positionsValue: D;
    /**
     * cash + positionsValue.
     */
    readonly portfolioValue: D;
    /**
     * portfolioValue minus the starting balance.
     */
    readonly pnl: D;
    /** The number of sides held; YES and NO of a market are two. */
    readonly openPositions: number;
    /** The number of the account's fills, as taker and as maker. */
    readonly trades: number;
    /**
     * Dollars traded, each fill at the account's own price.
     */
    readonly volume: D;
}

export interface Trader<D = number> {
    readonly id: string;
    readonly displayName: string;
    /** When the account was opened: ISO 8601, UTC, with milliseconds. */
    readonly since: string;
    /**
     * cash + positionsValue.
     */
    readonly portfolioValue: D;
    /**
     * portfolioValue minus the starting balance.
     */
    readonly pnl: D;
    /**
     * Dollars traded, each fill at the account's own price.
     */
    readonly volume: D;
    /** The number of the account's fills, as taker and as maker. */
    readonly trades: number;
    /** The number of sides held; YES and NO of a market are two. */
    readonly openPositions: number;
    /** The portfolioValue over time, oldest first, 200 points at most: the opening, or `from`, moments at even intervals, and the newest event of the exchange. */
    readonly equity: readonly EquityPoint<D>[];
}

export interface EquityPoint<D = number> {
    /** ISO 8601, UTC, with milliseconds. */
    readonly at: string;
    /**
     * The portfolioValue then, in dollars.
     */
    readonly value: D;
}

export interface RecentTrade<D = number> {
    /** The id of the trade, and of its event in the journal. */
    readonly id: string;
    readonly marketId: string;
    /** The journal sequence of the trade. */
    readonly seq: number;
    /**
     * The outcome that the taker's order names.
     */
    readonly outcome: "yes" | "no";
    /**
     * Whether the taker bought or sold.
     */
    readonly side: "buy" | "sell";
    /**
     * Dollars a share, in the terms of the taker's outcome.
     */
    readonly price: D;
    readonly yesPrice: D;
    readonly quantity: number;
    /**
     * Dollars: price × quantity.
     */
    readonly notional: D;
    /**
     * `transfer`: shares move from a seller to a buyer. `mint`: a buyer of YES and a buyer of NO create pairs. `merge`: a seller of YES and a seller of NO end pairs.
     */
    readonly kind: "transfer" | "mint" | "merge";
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    readonly market: PortfolioMarket;
}

export interface PortfolioMarket {
    readonly title: string;
    readonly ticker: string;
    readonly companySlug: string;
    /** @enum {string|null} */
    readonly resolvedOutcome: "yes" | "no" | null;
}

export interface Trade<D = number> {
    /** The id of the trade, and of its event in the journal. */
    readonly id: string;
    readonly marketId: string;
    /** The journal sequence of the trade. */
    readonly seq: number;
    /**
     * The outcome that the taker's order names.
     */
    readonly outcome: "yes" | "no";
    /**
     * Whether the taker bought or sold.
     */
    readonly side: "buy" | "sell";
    /**
     * Dollars a share, in the terms of the taker's outcome.
     */
    readonly price: D;
    readonly yesPrice: D;
    readonly quantity: number;
    /**
     * Dollars: price × quantity.
     */
    readonly notional: D;
    /**
     * `transfer`: shares move from a seller to a buyer. `mint`: a buyer of YES and a buyer of NO create pairs. `merge`: a seller of YES and a seller of NO end pairs.
     */
    readonly kind: "transfer" | "mint" | "merge";
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
}

export interface Activity {
    /** Figures of the last 24 h, up to a whole minute. */
    readonly pulse: {
        readonly activeMarkets: number;
        /** The number of shares traded. */
        readonly volume24h: number;
        /** The number of fills. */
        readonly trades24h: number;
        /** The number of accounts that took part in a fill. */
        readonly traders24h: number;
    };
    /** The newest 50 items, newest first. */
    readonly feed: readonly ActivityItem[];
}

export interface ActivityItem {
    /** The id of the event in the journal. */
    readonly id: string;
    /** The journal sequence of the event. */
    readonly seq: number;
    /**
     * The kind of the item. A void market is a resolution too.
     */
    readonly kind: "trade" | "signal" | "listing" | "resolution";
    /** The market; null for a signal about the whole platform. */
    readonly marketId: string | null;
    /** The title of the market. */
    readonly title: string | null;
    /** The headline of a signal or resolution, else a description such as "10 YES at 0.55", "Listed at 0.38", "Resolved YES" or "Voided at 0.5". */
    readonly headline: string;
    /** The time of the event. */
    readonly createdAt: string;
}

export interface Health {
    /**
     * Whether all parts of the service work.
     */
    readonly status: "ok" | "degraded";
    readonly version: string;
    readonly database: "ok" | "down";
    /** ISO 8601, UTC, with milliseconds. */
    readonly timestamp: string;
    /**
     * `kyc`: the service refuses orders of accounts that are not approved.
     */
    readonly complianceMode: "paper" | "kyc";
    /** Whether the service can send e-mail. */
    readonly emailConfigured: boolean;
}

export interface Market<D = number> {
    readonly id: string;
    readonly title: string;
    readonly ticker: string;
    /** The company, as a short name for URLs; never empty. */
    readonly companySlug: string;
    readonly sector: string;
    readonly category: string;
    readonly settlementSource: string;
    /**
     * `active` and `resolved` equal the phase of that name; every other phase is `pending`.
     */
    readonly status: "active" | "resolved" | "pending";
    /**
     * The exact state of the market. Only an active market takes orders.
     */
    readonly phase: "scheduled" | "active" | "paused" | "closed" | "settling" | "resolved" | "void";
    /** @enum {string|null} */
    readonly resolvedOutcome: "yes" | "no" | null;
    /**
     * The midpoint if both sides are quoted at most $0.10 apart, else the last trade, else the prior. For a settled market: what YES pays.
     */
    readonly probability: D;
    /** The number of shares traded. */
    readonly volume: number;
    /** The number of outstanding pairs of one YES and one NO share. */
    readonly openInterest: number;
    readonly bestYesBid: D | null;
    readonly bestYesAsk: D | null;
    readonly bestNoBid: D | null;
    readonly bestNoAsk: D | null;
    readonly spread: D | null;
    /**
     * The price of the last trade, in YES terms.
     */
    readonly lastTradePrice: D | null;
    /**
     * The price step: an order with a price between two steps is refused as `invalid_tick`.
     */
    readonly tickSize: D;
    /** ISO 8601, UTC, with milliseconds. */
    readonly closesAt: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly resolvedAt: string | null;
    readonly description: string | null;
    readonly citationUrl: string | null;
    /** The journal sequence of the market's last event. */
    readonly seq: number;
    /**
     * The probability minus that of 24 h ago; for a younger market minus its prior. Only in `GET /api/markets?fields=trend`.
     */
    readonly change24h?: D | undefined;
    /** The probability at each of the last 24 whole hours of UTC, oldest first; null before the listing. Only in `GET /api/markets?fields=trend`. */
    readonly spark?: readonly (D | null)[] | undefined;
}

export interface OrderBook<D = number> {
    readonly marketId: string;
    /** The journal sequence of the market's last event. */
    readonly seq: number;
    readonly yes: {
        /** Price levels, highest first, at most 200. */
        readonly bids: readonly {
            readonly price: D;
            readonly quantity: number;
            readonly orders: number;
        }[];
        /** Price levels, lowest first, at most 200. */
        readonly asks: readonly {
            readonly price: D;
            readonly quantity: number;
            readonly orders: number;
        }[];
    };
    /** The same orders in NO terms: a YES bid at p is a NO ask at 1 − p. */
    readonly no: {
        /** Price levels, highest first, at most 200. */
        readonly bids: readonly {
            readonly price: D;
            readonly quantity: number;
            readonly orders: number;
        }[];
        /** Price levels, lowest first, at most 200. */
        readonly asks: readonly {
            readonly price: D;
            readonly quantity: number;
            readonly orders: number;
        }[];
    };
    readonly bestYesBid: D | null;
    readonly bestYesAsk: D | null;
    readonly bestNoBid: D | null;
    readonly bestNoAsk: D | null;
    readonly spread: D | null;
    /**
     * The price of the last trade, in YES terms.
     */
    readonly lastTradePrice: D | null;
}

export interface Pulse<D = number> {
    /** ISO 8601, UTC, with milliseconds. */
    readonly ts: string;
    /** The requested markets, else the 50 most active markets of the last 24 h, most active first. */
    readonly markets: readonly PulseEntry<D>[];
}

export interface PulseEntry<D = number> {
    readonly id: string;
    readonly probability: D;
    readonly bestYesBid: D | null;
    readonly bestYesAsk: D | null;
    /**
     * The price of the last trade, in YES terms.
     */
    readonly lastTradePrice: D | null;
    /** The number of shares traded. */
    readonly volume: number;
    readonly status: "active" | "resolved" | "pending";
    /** The journal sequence of the market's last event. */
    readonly seq: number;
}

export interface BookDelta<D = number> {
    /** The journal sequence of the last event of the decision that changed it. */
    readonly seq: number;
    /** ISO 8601, UTC, with milliseconds. */
    readonly ts: string;
    /**
     * The side of the book in YES terms.
     */
    readonly side: "bid" | "ask";
    /**
     * The price of the level in YES terms.
     */
    readonly price: D;
    /** The shares that rest at this price now; 0: the level is gone. */
    readonly quantity: number;
}

export type AccountEvent<D = number> = OrderEvent<D> | FillEvent<D> | SettledEvent<D> | CashEvent<D>;

export interface OrderEvent<D = number> {
    readonly type: "order";
    /** The journal sequence of the event. The last message of a sequence has it as `id` too, so that a client resumes after whole events. */
    readonly seq: number;
    /** The account that the message is about. */
    readonly accountId: string;
    /** The order after this event. A placed order is open with no fill; a placed or changed order has in reservedAmount what rests at once. A cancelled order shows its earlier fills. */
    readonly order: {
        /** The id of the order. */
        readonly id: string;
        readonly marketId: string;
        readonly side: "buy" | "sell";
        readonly outcome: "yes" | "no";
        readonly orderType: "limit" | "market";
        readonly timeInForce: "GTC" | "IOC" | "FOK";
        /**
         * The limit of a limit order. The average fill price of a market order, or its bound if nothing filled.
         */
        readonly price: D;
        /** The shares of the whole order. */
        readonly quantity: number;
        /** The shares that are filled. */
        readonly filledQty: number;
        /**
         * A cancelled order may have fills: see filledQty.
         */
        readonly status: "open" | "partial" | "filled" | "cancelled";
        /** ISO 8601, UTC, with milliseconds. */
        readonly createdAt: string;
        /**
         * Dollars reserved for the resting part of a buy; 0 for a sell.
         */
        readonly reservedAmount: D;
        /** The id of the account that placed the order. */
        readonly userId: string;
        /** The client's own name of the order. */
        readonly clientOrderId: string | null;
        /** Whether the order is cancelled instead of taking shares. */
        readonly postOnly: boolean;
        /** The time at which what still rests is cancelled. */
        readonly expiresAt: string | null;
        /**
         * The average price of the fills in the terms of the order's outcome; null without a fill.
         */
        readonly averagePrice: D | null;
        /** Why the order was cancelled; null if it was not. */
        readonly reason: ("user" | "ioc_remainder" | "fok_unfillable" | "self_trade" | "no_liquidity" | "fill_limit" | "market_closed" | "market_resolved" | "post_only" | "expired" | "dead_man_switch" | "account_closed") | null;
        /** The journal sequence of the order's newest event. */
        readonly seq: number;
    };
    /** Why the order was cancelled; null if it was placed or changed. */
    readonly reason: ("user" | "ioc_remainder" | "fok_unfillable" | "self_trade" | "no_liquidity" | "fill_limit" | "market_closed" | "market_resolved" | "post_only" | "expired" | "dead_man_switch" | "account_closed") | null;
}

export interface FillEvent<D = number> {
    readonly type: "fill";
    /** The journal sequence of the event. The last message of a sequence has it as `id` too, so that a client resumes after whole events. */
    readonly seq: number;
    /** The account that the message is about. */
    readonly accountId: string;
    readonly fill: Fill<D>;
    /** The filled order if this fill was its last; null while shares remain. */
    readonly order: OrderDetail<D> | null;
}

export interface Fill<D = number> {
    /** The id of the trade, the same for both of its sides, and of its event in the journal. */
    readonly id: string;
    readonly marketId: string;
    /** The journal sequence of the trade. */
    readonly seq: number;
    readonly outcome: "yes" | "no";
    readonly side: "buy" | "sell";
    /**
     * Dollars a share, in the terms of the order's outcome.
     */
    readonly price: D;
    readonly yesPrice: D;
    readonly quantity: number;
    /**
     * price × quantity: the dollars that a buyer paid or a seller received.
     */
    readonly notional: D;
    /**
     * `transfer`: shares move from a seller to a buyer. `mint`: a buyer of YES and a buyer of NO create pairs. `merge`: a seller of YES and a seller of NO end pairs.
     */
    readonly kind: "transfer" | "mint" | "merge";
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    readonly market: PortfolioMarket;
    /** The id of the account's own order. */
    readonly orderId: string;
    /**
     * `maker`: the order rested in the book. `taker`: the order met a resting one.
     */
    readonly role: "maker" | "taker";
}

export interface OrderDetail<D = number> {
    /** The id of the order. */
    readonly id: string;
    readonly marketId: string;
    readonly side: "buy" | "sell";
    readonly outcome: "yes" | "no";
    readonly orderType: "limit" | "market";
    readonly timeInForce: "GTC" | "IOC" | "FOK";
    /**
     * The limit of a limit order. The average fill price of a market order, or its bound if nothing filled.
     */
    readonly price: D;
    /** The shares of the whole order. */
    readonly quantity: number;
    /** The shares that are filled. */
    readonly filledQty: number;
    /**
     * A cancelled order may have fills: see filledQty.
     */
    readonly status: "open" | "partial" | "filled" | "cancelled";
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /**
     * Dollars reserved for the resting part of a buy; 0 for a sell.
     */
    readonly reservedAmount: D;
    /** The id of the account that placed the order. */
    readonly userId: string;
    /** The client's own name of the order. */
    readonly clientOrderId: string | null;
    /** Whether the order is cancelled instead of taking shares. */
    readonly postOnly: boolean;
    /** The time at which what still rests is cancelled. */
    readonly expiresAt: string | null;
    /**
     * The average price of the fills in the terms of the order's outcome; null without a fill.
     */
    readonly averagePrice: D | null;
    /** Why the order was cancelled; null if it was not. */
    readonly reason: ("user" | "ioc_remainder" | "fok_unfillable" | "self_trade" | "no_liquidity" | "fill_limit" | "market_closed" | "market_resolved" | "post_only" | "expired" | "dead_man_switch" | "account_closed") | null;
    /** The journal sequence of the order's newest event. */
    readonly seq: number;
}

export interface SettledEvent<D = number> {
    readonly type: "settled";
    /** The journal sequence of the event. The last message of a sequence has it as `id` too, so that a client resumes after whole events. */
    readonly seq: number;
    /** The account that the message is about. */
    readonly accountId: string;
    readonly settled: SettledPosition<D>;
}

export interface SettledPosition<D = number> {
    readonly id: string;
    readonly marketId: string;
    /**
     * The side that was held.
     */
    readonly outcome: "yes" | "no";
    readonly shares: number;
    /**
     * Dollars that the shares paid.
     */
    readonly payout: D;
    /**
     * Dollars: the payout minus the cost of the shares.
     */
    readonly pnl: D;
    /** ISO 8601, UTC, with milliseconds. */
    readonly settledAt: string;
    readonly market: PortfolioMarket;
}

export interface CashEvent<D = number> {
    readonly type: "cash";
    /** The journal sequence of the event. The last message of a sequence has it as `id` too, so that a client resumes after whole events. */
    readonly seq: number;
    /** The account that the message is about. */
    readonly accountId: string;
    /**
     * The account's dollars after the event, with what its open orders reserve.
     */
    readonly cash: D;
}

export interface Order<D = number> {
    /** The id of the order. */
    readonly id: string;
    readonly marketId: string;
    readonly side: "buy" | "sell";
    readonly outcome: "yes" | "no";
    readonly orderType: "limit" | "market";
    readonly timeInForce: "GTC" | "IOC" | "FOK";
    /**
     * The limit of a limit order. The average fill price of a market order, or its bound if nothing filled.
     */
    readonly price: D;
    /** The shares of the whole order. */
    readonly quantity: number;
    /** The shares that are filled. */
    readonly filledQty: number;
    /**
     * A cancelled order may have fills: see filledQty.
     */
    readonly status: "open" | "partial" | "filled" | "cancelled";
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /**
     * Dollars reserved for the resting part of a buy; 0 for a sell.
     */
    readonly reservedAmount: D;
    /** The id of the account that placed the order. */
    readonly userId: string;
}

export interface CreateOrderInput<D = number> {
    /** The id of the market. */
    readonly marketId: string;
    /**
     * The outcome whose shares are bought or sold.
     */
    readonly outcome: "yes" | "no";
    /**
     * Whether to buy or to sell.
     * @default buy
     */
    readonly side?: ("buy" | "sell") | undefined;
    /**
     * A limit order can rest in the book; a market order never does.
     * @default limit
     */
    readonly orderType?: ("limit" | "market") | undefined;
    /**
     * GTC: what does not fill rests. IOC: what does not fill at once is cancelled. FOK: fills whole, or not at all.
     * @default GTC
     */
    readonly timeInForce?: ("GTC" | "IOC" | "FOK") | undefined;
    /**
     * Dollars a share, in the terms of `outcome`; a multiple of the market's tickSize.
     */
    readonly price?: D | undefined;
    /** The number of shares. */
    readonly quantity?: number | undefined;
    /**
     * The most dollars to spend.
     */
    readonly notional?: D | undefined;
    /**
     * The most dollars that a market buy pays for a share.
     */
    readonly maxPrice?: D | undefined;
    /**
     * The largest distance in dollars between the fill price of a market order and the best opposing order.
     */
    readonly slippage?: D | undefined;
}

export interface OpenOrders<D = number> {
    /** The open and partially filled orders, in the order in which they were accepted. */
    readonly orders: readonly OrderDetail<D>[];
    /** The sequence of the journal that the list is true at. */
    readonly seq: number;
}

export interface DeadManSwitch {
    /** When the open orders of the account are cancelled, if the switch is not set again; null: it is off. */
    readonly cancelsAt: string | null;
}

export interface Me<D = number> {
    readonly accountId: string;
    readonly displayName: string;
    /** The primary account of the fleet; a primary's own id. */
    readonly primaryAccountId: string;
    readonly keyId: string;
    readonly keyName: string;
    readonly permissions: readonly ("view" | "trade" | "master" | "reconcile")[];
    /** The limits of the key; null if it has none. */
    readonly mandate: Mandate<D> | null;
    /**
     * Dollars that the buys of the key cost since 00:00 UTC, with what they reserved when they were placed; what spendPerDay limits.
     */
    readonly spentToday: D;
    /**
     * `kyc`: orders of accounts that are not approved are refused.
     */
    readonly complianceMode: "paper" | "kyc";
    /** Whether the account may trade; true where no approval is required. */
    readonly approved: boolean;
}

export interface Mandate<D = number> {
    /**
     * The most dollars that one order may cost, with what it reserves.
     */
    readonly maxOrderCost?: D | undefined;
    /**
     * The most dollars that the account may have reserved after an order.
     */
    readonly maxReserved?: D | undefined;
    /** The most shares of an outcome that the account may hold after an order, with those that its resting buys would add. */
    readonly maxShares?: number | undefined;
    /**
     * The most dollars that the buys of the key may cost since 00:00 UTC, with what they reserved when they were placed. Nothing is given back when an order is cancelled.
     */
    readonly spendPerDay?: D | undefined;
    /** The only markets in which the key may trade; an empty list permits none. */
    readonly marketIds?: readonly string[] | undefined;
    /** With true the key may only sell. */
    readonly reduceOnly?: boolean | undefined;
}

export interface RenameAccountInput {
    /** Unicode normalization form C (NFC). No control, format, zero-width, bidirectional, filler, private-use or unassigned characters and no line separators (U+FE0F is allowed after a visible character); no white space at the beginning, at the end, or twice in a row. No word of it may begin or end with house, demo, operator, admin, administrator, support, official, system or moderator, also where look-alike letters, figures, accents, capitals or spaces hide that: these are for the exchange's own accounts. Only operators' tokens without the scope `accounts-own` may give such names. */
    readonly displayName: string;
}

export interface OrderHistory<D = number> {
    /** The current state of the order. */
    readonly order: {
        /** The id of the order. */
        readonly id: string;
        readonly marketId: string;
        readonly side: "buy" | "sell";
        readonly outcome: "yes" | "no";
        readonly orderType: "limit" | "market";
        readonly timeInForce: "GTC" | "IOC" | "FOK";
        /**
         * The limit of a limit order. The average fill price of a market order, or its bound if nothing filled.
         */
        readonly price: D;
        /** The shares of the whole order. */
        readonly quantity: number;
        /** The shares that are filled. */
        readonly filledQty: number;
        /**
         * A cancelled order may have fills: see filledQty.
         */
        readonly status: "open" | "partial" | "filled" | "cancelled";
        /** ISO 8601, UTC, with milliseconds. */
        readonly createdAt: string;
        /**
         * Dollars reserved for the resting part of a buy; 0 for a sell.
         */
        readonly reservedAmount: D;
        /** The id of the account that placed the order. */
        readonly userId: string;
    };
    readonly history: readonly OrderHistoryEntry<D>[];
}

export interface OrderHistoryEntry<D = number> {
    /** The journal sequence of the event. `GET /api/journal?from=` shows the whole event. */
    readonly seq: number;
    /** The id of the event; for a fill also the id of the trade. */
    readonly id: string;
    readonly type: "OrderPlaced" | "OrderAmended" | "OrderReplaced" | "OrderFilled" | "OrderCancelled";
    /** `placed`: a request placed the order. `amended`: a request lowered the quantity, and the order kept its place in the queue. `replaced`: a request changed the price or the quantity, and the order entered the book again. `taker`: the order met a resting one. `maker`: the order rested and was met. Any other value: why the rest of the order was cancelled. */
    readonly reason: ("placed" | "amended" | "replaced" | "taker" | "maker") | ("user" | "ioc_remainder" | "fok_unfillable" | "self_trade" | "no_liquidity" | "fill_limit" | "market_closed" | "market_resolved" | "post_only" | "expired" | "dead_man_switch" | "account_closed");
    /** The shares that this event placed, filled or cancelled; for `amended` and `replaced` the new total of the order. */
    readonly quantity: number;
    /**
     * Dollars a share, in the terms of the order's outcome: the price of a fill, else the limit, or the bound of a market order.
     */
    readonly price: D;
    /**
     * Dollars that the account received by this event; negative if it paid.
     */
    readonly cash: D;
    /** The shares filled so far, including this event. */
    readonly filledQty: number;
    /**
     * The status of the order after this event.
     */
    readonly status: "open" | "partial" | "filled" | "cancelled";
    /**
     * Dollars reserved for the order after this event.
     */
    readonly reservedAmount: D;
    /** The key whose request placed, changed or cancelled the order; null of a fill, and where no key asked. */
    readonly keyId: string | null;
    /** The name of that key; null where there is none. */
    readonly keyName: string | null;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
}

export interface Portfolio<D = number> {
    readonly summary: {
        /**
         * Dollars, including what open orders reserve.
         */
        readonly cash: D;
        readonly positionsValue: D;
        readonly portfolioValue: D;
        readonly pnl: D;
        readonly unrealizedPnl: D;
        readonly openOrders: number;
        readonly startingBalance: D;
        readonly displayName: string;
    };
    /** Null for an account without sub-accounts. */
    readonly fleetSummary: FleetSummary<D> | null;
    readonly positions: readonly Position<D>[];
    /** All open orders, then the newest 100 ended ones. */
    readonly orders: readonly PortfolioOrder<D>[];
    /** The newest 200 fills. */
    readonly trades: readonly PortfolioTrade<D>[];
    /** The newest 200 settled positions. */
    readonly settled: readonly SettledPosition<D>[];
}

export interface FleetSummary<D = number> {
    readonly accountCount: number;
    readonly subAccountCount: number;
    readonly master: {
        readonly cash: D;
        readonly positionsValue: D;
        readonly portfolioValue: D;
        readonly pnl: D;
    };
    readonly subAccounts: {
        readonly cash: D;
        readonly positionsValue: D;
        readonly portfolioValue: D;
        readonly pnl: D;
    };
    readonly total: {
        readonly cash: D;
        readonly positionsValue: D;
        readonly portfolioValue: D;
        readonly pnl: D;
    };
}

export interface Position<D = number> {
    /** The market and the side: `<marketId>:<side>`. */
    readonly id: string;
    readonly marketId: string;
    readonly side: "yes" | "no";
    readonly shares: number;
    /**
     * The average cost in dollars a share, to six decimals.
     */
    readonly avgCost: D;
    /**
     * What a share is worth: the market's probability for YES, 1 minus it for NO.
     */
    readonly markPrice: D;
    /**
     * Dollars: shares × markPrice.
     */
    readonly marketValue: D;
    /**
     * Dollars: marketValue minus the cost of the shares.
     */
    readonly unrealizedPnl: D;
    /** The YES shares of the market that the account holds. */
    readonly yesShares: number;
    /** The NO shares of the market that the account holds. */
    readonly noShares: number;
    readonly market: PositionMarket<D>;
}

export interface PositionMarket<D = number> {
    readonly title: string;
    readonly ticker: string;
    readonly companySlug: string;
    /** @enum {string|null} */
    readonly resolvedOutcome: "yes" | "no" | null;
    readonly id: string;
    readonly probability: D;
    readonly status: "active" | "resolved" | "pending";
}

export interface PortfolioOrder<D = number> {
    /** The id of the order. */
    readonly id: string;
    readonly marketId: string;
    readonly side: "buy" | "sell";
    readonly outcome: "yes" | "no";
    readonly orderType: "limit" | "market";
    readonly timeInForce: "GTC" | "IOC" | "FOK";
    /**
     * The limit of a limit order. The average fill price of a market order, or its bound if nothing filled.
     */
    readonly price: D;
    /** The shares of the whole order. */
    readonly quantity: number;
    /** The shares that are filled. */
    readonly filledQty: number;
    /**
     * A cancelled order may have fills: see filledQty.
     */
    readonly status: "open" | "partial" | "filled" | "cancelled";
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /**
     * Dollars reserved for the resting part of a buy; 0 for a sell.
     */
    readonly reservedAmount: D;
    readonly market: PortfolioMarket;
}

export interface PortfolioTrade<D = number> {
    readonly id: string;
    readonly marketId: string;
    readonly outcome: "yes" | "no";
    /**
     * Dollars a share, in the terms of `outcome`.
     */
    readonly price: D;
    readonly quantity: number;
    readonly notional: D;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    readonly market: PortfolioMarket;
}

export interface Positions<D = number> {
    readonly positions: readonly Position<D>[];
    readonly seq: number;
}

export interface RecentSignals<D = number> {
    readonly signals: readonly RecentSignal<D>[];
    /** The number of items in this answer. */
    readonly count: number;
}

export interface RecentSignal<D = number> {
    readonly id: string;
    readonly source: string;
    readonly headline: string;
    readonly citationUrl: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly publishedAt: string;
    /**
     * The market's probability just before the signal.
     */
    readonly marketProbBefore: D | null;
    /**
     * The market's probability after its last event within 60 s of the signal. At first it equals marketProbBefore.
     */
    readonly marketProbAfter: D | null;
    /**
     * The fair probability, according to the source.
     */
    readonly fairProb: D | null;
    /** The market; null for a signal about the whole platform. */
    readonly marketId: string | null;
    readonly seq: number;
}

export interface OrderBatch<D = number> {
    /** One result for each item, in their order. */
    readonly results: readonly ({
        readonly ok: true;
        readonly order: OrderDetail<D>;
    } | {
        readonly ok: false;
        readonly error: string;
        readonly code: "validation_failed" | "invalid_tick" | "insufficient_balance" | "insufficient_shares" | "market_not_active" | "market_already_resolved" | "order_not_open" | "duplicate_client_order_id" | "mandate_exceeded" | "idempotency_conflict" | "limit_reached" | "tape_not_found" | "backtest_limit" | "backtest_not_ended" | "backtest_ended" | "not_authenticated" | "forbidden" | "kyc_required" | "primary_account_required" | "left_out" | "market_not_found" | "account_not_found" | "backtest_not_found" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
    })[];
}

export interface OrderBatchInput<D = number> {
    /** Orders in the order in which they are decided. An item that is no valid OrderItem is refused alone, and changes nothing for the others. */
    readonly orders: readonly OrderItem<D>[];
}

export interface OrderPreview<D = number> {
    readonly status: "open" | "partial" | "filled" | "cancelled";
    readonly quantity: number;
    readonly price: D;
    readonly filledQty: number;
    /**
     * The average price of the fills; null without a fill.
     */
    readonly averagePrice: D | null;
    /**
     * What the fills cost in dollars; negative for the proceeds of a sale.
     */
    readonly cost: D;
    /**
     * Dollars that the resting part would reserve.
     */
    readonly reserved: D;
    /** The fills by price level, in their order. */
    readonly fills: readonly {
        readonly price: D;
        readonly quantity: number;
    }[];
    /**
     * Why a part would be cancelled; null if none would.
     * @enum {string|null}
     */
    readonly reason: "user" | "ioc_remainder" | "fok_unfillable" | "self_trade" | "no_liquidity" | "fill_limit" | "market_closed" | "market_resolved" | "post_only" | "expired" | "dead_man_switch" | "account_closed" | null;
    readonly cashAfter: D;
    readonly freeCashAfter: D;
    readonly yesSharesAfter: number;
    readonly noSharesAfter: number;
    /** The sequence of the journal that the preview is true at. */
    readonly seq: number;
}

export interface OrderItem<D = number> {
    /** The id of the market. */
    readonly marketId: string;
    /**
     * The outcome whose shares are bought or sold.
     */
    readonly outcome: "yes" | "no";
    /**
     * Whether to buy or to sell.
     * @default buy
     */
    readonly side?: ("buy" | "sell") | undefined;
    /**
     * A limit order can rest in the book; a market order never does.
     * @default limit
     */
    readonly orderType?: ("limit" | "market") | undefined;
    /**
     * GTC: what does not fill rests. IOC: what does not fill at once is cancelled. FOK: fills whole, or not at all.
     * @default GTC
     */
    readonly timeInForce?: ("GTC" | "IOC" | "FOK") | undefined;
    /**
     * Dollars a share, in the terms of `outcome`; a multiple of the market's tickSize.
     */
    readonly price?: D | undefined;
    /** The number of shares. */
    readonly quantity?: number | undefined;
    /**
     * The most dollars to spend.
     */
    readonly notional?: D | undefined;
    /**
     * The most dollars that a market buy pays for a share.
     */
    readonly maxPrice?: D | undefined;
    /**
     * The largest distance in dollars between the fill price of a market order and the best opposing order.
     */
    readonly slippage?: D | undefined;
    /** The client's own name of the order. It must differ from those of the account's open orders, and of the orders that ended in the last 24 hours. */
    readonly clientOrderId?: string | undefined;
    /** With true the order is cancelled with the reason `post_only` if it would take shares. Only for limit orders with GTC. */
    readonly postOnly?: boolean | undefined;
    /**
     * Format: date-time
     * The time at which what still rests is cancelled with the reason `expired`; at most 366 days ahead. Only for limit orders with GTC.
     */
    readonly expiresAt?: string | undefined;
    /** A sub-account of the caller's fleet that the order is for; the key needs master and trade. Left out: the key's own account. */
    readonly accountId?: string | undefined;
}

export interface AmendOrderInput<D = number> {
    /**
     * The new limit in dollars, in the terms of the order's outcome.
     */
    readonly price?: D | undefined;
    /** The new total, with the shares that are filled already. */
    readonly quantity?: number | undefined;
}

export interface CancelledOrders {
    /** The number of orders that were cancelled. */
    readonly cancelled: number;
    /** Their ids, in the order in which the orders were accepted. */
    readonly orderIds: readonly string[];
}

export interface DeadManSwitchInput {
    /** 0 turns the switch off; else 5 to 3600. */
    readonly seconds: number;
}

export interface MergedShares<D = number> {
    readonly marketId: string;
    /** Pairs of one YES and one NO share that became $1 each. */
    readonly merged: number;
    /**
     * The account's cash after it, with what its open orders reserve.
     */
    readonly cash: D;
}

export interface MergeInput {
    /** The id of the market. */
    readonly marketId: string;
    /** The number of pairs; left out: all pairs of free shares. */
    readonly quantity?: number | undefined;
}

export interface LimitedApiKey<D = number> {
    readonly key: ApiKey<D>;
}

export interface ApiKey<D = number> {
    readonly id: string;
    readonly name: string;
    readonly permissions: readonly ("view" | "trade" | "master" | "reconcile")[];
    /** The last four characters of the raw key. */
    readonly last4: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly revokedAt: string | null;
    /**
     * Format: date
     * The UTC day on which the key was last used, known about a minute later; null where no use was noted yet.
     */
    readonly lastUsedOn: string | null;
    /** The limits of the key; null if it has none. */
    readonly mandate: {
        /**
         * The most dollars that one order may cost, with what it reserves.
         */
        readonly maxOrderCost?: D | undefined;
        /**
         * The most dollars that the account may have reserved after an order.
         */
        readonly maxReserved?: D | undefined;
        /** The most shares of an outcome that the account may hold after an order, with those that its resting buys would add. */
        readonly maxShares?: number | undefined;
        /**
         * The most dollars that the buys of the key may cost since 00:00 UTC, with what they reserved when they were placed. Nothing is given back when an order is cancelled.
         */
        readonly spendPerDay?: D | undefined;
        /** The only markets in which the key may trade; an empty list permits none. */
        readonly marketIds?: readonly string[] | undefined;
        /** With true the key may only sell. */
        readonly reduceOnly?: boolean | undefined;
    } | null;
}

export type MandateInput<D = number> = {
    /**
     * The most dollars that one order may cost, with what it reserves.
     */
    readonly maxOrderCost?: D | undefined;
    /**
     * The most dollars that the account may have reserved after an order.
     */
    readonly maxReserved?: D | undefined;
    /** The most shares of an outcome that the account may hold after an order, with those that its resting buys would add. */
    readonly maxShares?: number | undefined;
    /**
     * The most dollars that the buys of the key may cost since 00:00 UTC, with what they reserved when they were placed. Nothing is given back when an order is cancelled.
     */
    readonly spendPerDay?: D | undefined;
    /** The only markets in which the key may trade; an empty list permits none. */
    readonly marketIds?: readonly string[] | undefined;
    /** With true the key may only sell. */
    readonly reduceOnly?: boolean | undefined;
} | null;

export interface SubAccountList<D = number> {
    readonly subAccounts: readonly SubAccount<D>[];
}

export interface SubAccount<D = number> {
    readonly id: string;
    readonly displayName: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /** The permissions of the first key. */
    readonly permissions: readonly ("view" | "trade" | "master" | "reconcile")[];
    /** The live keys, and the 3 last revoked keys with their revokedAt. */
    readonly keys: readonly ApiKey<D>[];
    readonly cash: D;
    readonly portfolioValue: D;
    readonly pnl: D;
    /** True once it is closed; left out while it is open. */
    readonly closed?: boolean | undefined;
}

export interface FleetKeyList<D = number> {
    readonly keys: readonly FleetKey<D>[];
}

export interface FleetKey<D = number> {
    /** The account that the key is for: the primary or a sub-account. */
    readonly accountId: string;
    readonly id: string;
    readonly name: string;
    readonly permissions: readonly ("view" | "trade" | "master" | "reconcile")[];
    /** The last four characters of the raw key. */
    readonly last4: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly revokedAt: string | null;
    /**
     * Format: date
     * The UTC day on which the key was last used, known about a minute later; null where no use was noted yet.
     */
    readonly lastUsedOn: string | null;
    /** The limits of the key; null if it has none. */
    readonly mandate: {
        /**
         * The most dollars that one order may cost, with what it reserves.
         */
        readonly maxOrderCost?: D | undefined;
        /**
         * The most dollars that the account may have reserved after an order.
         */
        readonly maxReserved?: D | undefined;
        /** The most shares of an outcome that the account may hold after an order, with those that its resting buys would add. */
        readonly maxShares?: number | undefined;
        /**
         * The most dollars that the buys of the key may cost since 00:00 UTC, with what they reserved when they were placed. Nothing is given back when an order is cancelled.
         */
        readonly spendPerDay?: D | undefined;
        /** The only markets in which the key may trade; an empty list permits none. */
        readonly marketIds?: readonly string[] | undefined;
        /** With true the key may only sell. */
        readonly reduceOnly?: boolean | undefined;
    } | null;
}

export interface CreatedSubAccount<D = number> {
    readonly subAccount: SubAccount<D>;
    readonly apiKey: IssuedApiKey<D>;
}

export interface IssuedApiKey<D = number> {
    readonly id: string;
    readonly name: string;
    readonly permissions: readonly ("view" | "trade" | "master" | "reconcile")[];
    /** The last four characters of the raw key. */
    readonly last4: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly revokedAt: string | null;
    /**
     * Format: date
     * The UTC day on which the key was last used, known about a minute later; null where no use was noted yet.
     */
    readonly lastUsedOn: string | null;
    /** The limits of the key; null if it has none. */
    readonly mandate: {
        /**
         * The most dollars that one order may cost, with what it reserves.
         */
        readonly maxOrderCost?: D | undefined;
        /**
         * The most dollars that the account may have reserved after an order.
         */
        readonly maxReserved?: D | undefined;
        /** The most shares of an outcome that the account may hold after an order, with those that its resting buys would add. */
        readonly maxShares?: number | undefined;
        /**
         * The most dollars that the buys of the key may cost since 00:00 UTC, with what they reserved when they were placed. Nothing is given back when an order is cancelled.
         */
        readonly spendPerDay?: D | undefined;
        /** The only markets in which the key may trade; an empty list permits none. */
        readonly marketIds?: readonly string[] | undefined;
        /** With true the key may only sell. */
        readonly reduceOnly?: boolean | undefined;
    } | null;
    /** The key itself, `svc_live_…`. It is shown only once; an idempotent replay leaves it out. */
    readonly rawKey?: string | undefined;
}

export interface CreateSubAccountInput {
    /** Unicode normalization form C (NFC). No control, format, zero-width, bidirectional, filler, private-use or unassigned characters and no line separators (U+FE0F is allowed after a visible character); no white space at the beginning, at the end, or twice in a row. No word of it may begin or end with house, demo, operator, admin, administrator, support, official, system or moderator, also where look-alike letters, figures, accents, capitals or spaces hide that: these are for the exchange's own accounts. Only operators' tokens without the scope `accounts-own` may give such names. */
    readonly displayName: string;
    /** The permissions of the sub-account's first key. Default: view and trade, if the caller's key has them. master is refused. */
    readonly permissions?: readonly ("view" | "trade" | "master" | "reconcile")[] | undefined;
}

export interface CreatedApiKey<D = number> {
    readonly apiKey: IssuedApiKey<D>;
}

export interface CreateApiKeyInput {
    /** Unicode normalization form C (NFC). No control, format, zero-width, bidirectional, filler, private-use or unassigned characters and no line separators (U+FE0F is allowed after a visible character); no white space at the beginning, at the end, or twice in a row. */
    readonly name: string;
    readonly permissions: readonly ("view" | "trade" | "master" | "reconcile")[];
}

export interface JournalLine {
    /** The SHA-256 of three times 32 bytes: the hash of the previous event (32 zero bytes for the first), the SHA-256 of publicText in UTF-8, and privateDigest. */
    readonly hash: string;
    /** The id of the event, a UUID. */
    readonly id: string;
    /** The SHA-256 of the private part, which is withheld: who sent the command, its idempotency key, the hash of a new key, and a random salt. 64 zeros if there is no private part. */
    readonly privateDigest: string;
    /** The public part, JSON as RFC 8785 prints it. The hash covers these bytes. It has the event and, for the first event of a decision, the command. */
    readonly publicText: string;
    readonly seq: number;
    /** The type of the event. */
    readonly type: string;
}

export interface OrderSequences {
    /** The journal sequences of the order's events, ascending. */
    readonly seqs: readonly number[];
}

export interface LedgerEntry<D = number> {
    /** The journal sequence of the event. `GET /api/journal?from=` shows the whole event. */
    readonly seq: number;
    readonly eventId: string;
    readonly type: "AccountOpened" | "SubAccountOpened" | "OrderFilled" | "PositionSettled" | "SharesMerged";
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    readonly accountId: string;
    /**
     * Dollars that the account received; negative if it paid.
     */
    readonly cash: D;
    readonly marketId: string | null;
    readonly outcome: ("yes" | "no") | null;
    /** Shares of the outcome that the account received; negative if it gave them. */
    readonly shares: number;
    /** Dollars a share; null if no share moved. */
    readonly price: D | null;
    /** The account's own order; null if no order caused the movement. */
    readonly orderId: string | null;
}

export interface TapeList<D = number> {
    readonly tapes: readonly Tape<D>[];
    /** The files and folders beside them that are not played. */
    readonly refused: readonly {
        readonly id: string;
        readonly why: string;
    }[];
}

export interface Tape<D = number> {
    /** The name of its file or folder; what a backtest is started with. */
    readonly id: string;
    /** The format of its lines; `made`: a tape of our own making. */
    readonly format: string;
    readonly markets: readonly {
        readonly id: string;
        readonly title: string;
        /** ISO 8601, UTC, with milliseconds. */
        readonly closesAt: string;
        readonly tickSize: D;
        /**
         * The probability for YES at which the market begins.
         */
        readonly prior: D;
    }[];
    /** The time of its first event. */
    readonly from: string;
    /** The time of its last event. */
    readonly to: string;
    readonly events: number;
    readonly bytes: number;
    /** Of its file; of several, the SHA-256 of what `sha256sum` prints of them. */
    readonly sha256: string;
    /** Whether any of it is invented, such as the book of trades alone. */
    readonly synthetic: boolean;
    readonly skipped: readonly {
        /** Why parts of it are not played. */
        readonly reason: string;
        readonly count: number;
        readonly firstFile: string;
        readonly firstLine: number;
    }[];
}

export interface StartedBacktest {
    readonly id: string;
    /** What participants use in place of the base URL of this service. It is a secret, as their keys are. */
    readonly baseUrl: string;
    readonly participants: readonly {
        readonly accountId: string;
        /** It is shown only once; an idempotent replay leaves it out. */
        readonly apiKey?: string | undefined;
    }[];
    /** The backtest's time; null: it has not begun. */
    readonly clock: string | null;
    readonly state: "starting" | "running" | "ended" | "failed";
}

export interface StartBacktestInput<D = number> {
    /** The id of a tape of `GET /api/tapes`. */
    readonly tape: string;
    /**
     * Format: date-time
     * Where the clock starts. Default: at the first event.
     */
    readonly from?: string | undefined;
    /**
     * Format: date-time
     * The last moment that is played. Default: that of the last event.
     */
    readonly to?: string | undefined;
    /**
     * Accounts that trade, each with a key.
     * @default 1
     */
    readonly participants?: number | undefined;
    /**
     * Dollars of each participant. Default: the STARTING_BALANCE setting of the service.
     */
    readonly startingBalance?: D | undefined;
    /**
     * How long after it was sent a command is decided.
     * @default 0
     */
    readonly latencyMs?: number | undefined;
    /**
     * How much later streams and `advance` show what happens in markets.
     * @default 0
     */
    readonly feedLatencyMs?: number | undefined;
    /**
     * The rate r of a fee of r × p × (1 − p) a share as taker: reported, never charged.
     * @default 0
     */
    readonly fee?: D | undefined;
    /**
     * What ids and salts follow from. The same seed gives the same journal.
     * @default 1
     */
    readonly seed?: number | undefined;
    /**
     * The wall time without a call after which a participant is left out for good.
     * @default 60
     */
    readonly patienceSeconds?: number | undefined;
}

export interface BacktestList {
    readonly backtests: readonly Backtest[];
}

export interface Backtest {
    readonly id: string;
    readonly tape: string;
    readonly state: "starting" | "running" | "ended" | "failed";
    /** Why it has failed, or ended before its tape; else null. */
    readonly why: string | null;
    /** The backtest's time; null: it has not begun. */
    readonly clock: string | null;
    /** Events of the tape that are played. */
    readonly eventsDone: number;
    /** Events of the tape that it plays. */
    readonly events: number;
    /** The ids of their accounts, by turn. */
    readonly participants: readonly string[];
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly endedAt: string | null;
}

export interface BacktestReport<D = number> {
    readonly id: string;
    /** Whether the backtest has not come to its end. */
    readonly partial: boolean;
    /** Whether the same commands give the same journal; false where somebody was left out. */
    readonly reproducible: boolean;
    readonly tape: Tape<D>;
    /** The model of the place of recorded orders in the queue. */
    readonly queue: string;
    readonly settings: {
        readonly tape: string;
        /** ISO 8601, UTC, with milliseconds. */
        readonly from: string | null;
        /** ISO 8601, UTC, with milliseconds. */
        readonly to: string | null;
        readonly participants: number;
        readonly startingBalance: D;
        readonly latencyMs: number;
        readonly feedLatencyMs: number;
        readonly fee: D;
        readonly seed: number;
        readonly patienceSeconds: number;
    };
    readonly build: string;
    readonly rulesVersion: number;
    readonly journal: {
        readonly seq: number;
        readonly hash: string;
    };
    readonly leftOut: readonly {
        readonly accountId: string;
        /** ISO 8601, UTC, with milliseconds. */
        readonly at: string;
    }[];
    /**
     * The fees of all participants, which nobody was charged.
     */
    readonly fees: D;
    /** What a backtest cannot know. */
    readonly notModelled: readonly string[];
    readonly baselines: readonly {
        readonly name: "nothing" | "hold_yes" | "hold_no";
        readonly pnl: D | null;
    }[];
    readonly participants: readonly {
        readonly accountId: string;
        readonly pnl: D;
        /**
         * pnl ÷ startingBalance, to 6 decimals.
         */
        readonly return: D | null;
        readonly maxDrawdown: {
            readonly amount: D;
            readonly fromSeq: number | null;
            readonly toSeq: number | null;
        };
        /**
         * Σ own price × quantity.
         */
        readonly turnover: D;
        /**
         * The part of turnover as the resting side.
         */
        readonly makerShare: D | null;
        /** What was paid beyond the middle as taker, and the part of turnover that it covers. */
        readonly spreadPaid: {
            readonly amount: D;
            readonly coverage: D | null;
        };
        readonly fees: D;
        readonly equity: readonly {
            /** ISO 8601, UTC, with milliseconds. */
            readonly at: string;
            readonly seq: number;
            readonly equity: D;
        }[];
        readonly fills: readonly {
            readonly seq: number;
            /** ISO 8601, UTC, with milliseconds. */
            readonly at: string;
            readonly marketId: string;
            readonly orderId: string;
            readonly role: "maker" | "taker";
            readonly outcome: "yes" | "no";
            readonly side: "buy" | "sell";
            readonly price: D;
            readonly quantity: number;
            /** How long the resting order had waited; null of a taker. */
            readonly queueWaitMs: number | null;
            /** The best ten levels right before, for YES. */
            readonly book: {
                readonly bids: readonly {
                    readonly price: D;
                    readonly quantity: number;
                }[];
                readonly asks: readonly {
                    readonly price: D;
                    readonly quantity: number;
                }[];
            };
        }[];
    }[];
}

export interface BacktestClock {
    /** ISO 8601, UTC, with milliseconds. */
    readonly now: string;
    /** The accounts whose `advance` the clock waits for. */
    readonly waitingFor: readonly string[];
    readonly ended: boolean;
}

export interface AdvancedClock<D = number> {
    /** ISO 8601, UTC, with milliseconds. */
    readonly now: string;
    readonly ended: boolean;
    /** Others have not advanced yet: call again with the same body. */
    readonly waiting: boolean;
    /** What the account stream had since the last advance, at most 1,000. */
    readonly events: readonly AccountEvent<D>[];
    /** There are more events at `now`: call again. */
    readonly more: boolean;
}

/** @default {} */
export interface AdvanceClockInput {
    /**
     * Format: date-time
     * Default: the end.
     */
    readonly until?: string | undefined;
    /**
     * What ends the wait before: an event of the own account stream, a change of any book, a trade.
     * @default [
     *       "account"
     *     ]
     */
    readonly wake?: readonly ("account" | "book" | "trades")[] | undefined;
    /**
     * With true the account stream is that of the primary account with all of its sub-accounts.
     * @default false
     */
    readonly fleet?: boolean | undefined;
}

export interface ListMarketInput<D = number> {
    /** The id of the market; generated if it is left out. */
    readonly id?: string | undefined;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly title: string;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly ticker: string;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly companySlug: string;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly sector: string;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly category: string;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly settlementSource: string;
    /**
     * The probability before the first trade, to four decimals.
     */
    readonly prior: D;
    /**
     * Format: date-time
     * The end of trading. It must be later than now, unless the status is `closed`.
     */
    readonly closesAt: string;
    /**
     * @default 0.0001
     */
    readonly tickSize?: D | undefined;
    /**
     * @default 0
     */
    readonly companyImpact?: D | undefined;
    /** @default [] */
    readonly drivers?: readonly string[] | undefined;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters; line feeds and tabs are allowed. */
    readonly description?: string | undefined;
    readonly citationUrl?: string | undefined;
    /**
     * `active`: takes orders at once. `pending`: scheduled, takes orders after it is activated. `closed`: takes orders after it is activated, if closesAt is later than now.
     * @default active
     */
    readonly status?: ("active" | "pending" | "closed") | undefined;
}

export interface AmendMarketInput<D = number> {
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly title?: string | undefined;
    /** Format: date-time */
    readonly closesAt?: string | undefined;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters; line feeds and tabs are allowed. */
    readonly description?: string | undefined;
    readonly citationUrl?: string | undefined;
    readonly drivers?: readonly string[] | undefined;
    readonly companyImpact?: D | undefined;
}

export interface SettledMarket<D = number> {
    readonly market: Market<D>;
    readonly cancelledOrders: number;
    /** The number of accounts that held shares. */
    readonly settledAccounts: number;
    readonly paid: D;
}

export interface ResolveMarketInput {
    readonly outcome: "yes" | "no";
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly headline?: string | undefined;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly source?: string | undefined;
    readonly citationUrl?: string | undefined;
}

export interface VoidMarketInput<D = number> {
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly reason: string;
    /**
     * Dollars that a YES share pays, in steps of 0.0001; a NO share pays 1 minus it.
     */
    readonly price: D;
}

export interface RecordedSignal {
    readonly id: string;
    readonly seq: number;
}

export interface RecordSignalInput<D = number> {
    /** The id of the signal at its source. */
    readonly externalId: string;
    /** Who published the signal. Not `exchange`, in any case or look-alike. */
    readonly source: string;
    /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
    readonly headline: string;
    readonly citationUrl: string;
    /**
     * Format: date-time
     * The time of publication, ISO 8601 with an offset; at most 24 hours after it is recorded.
     */
    readonly publishedAt: string;
    /** The kind of event that the signal reports, for timelines. */
    readonly event?: string | undefined;
    /** The market that the signal is about. Left out: the whole platform. */
    readonly marketId?: string | undefined;
    /**
     * The fair probability, according to the source.
     */
    readonly fairProb?: D | undefined;
    /**
     * The figure that the signal reports.
     */
    readonly factValue?: D | undefined;
    /**
     * The figure that factValue is compared with.
     */
    readonly threshold?: D | undefined;
    /**
     * The confidence of the source in its fair probability.
     */
    readonly confidence?: D | undefined;
    /** The age of the signal in ms. Default: the time since publishedAt. */
    readonly freshnessMs?: number | undefined;
}

export interface OpenedAccount<D = number> {
    readonly account: Account<D>;
    readonly apiKey: IssuedApiKey<D>;
}

export interface Account<D = number> {
    readonly id: string;
    readonly displayName: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    readonly startingBalance: D;
}

export interface OpenAccountInput<D = number> {
    /** The id of the new account, a random UUID. Default: the service makes one. If an account has the id already, the answer is 400 `idempotency_conflict`, however long ago it was opened, but for a repeat with its Idempotency-Key: so a caller that never got an answer finds out, and issues a key. */
    readonly id?: string | undefined;
    /** Unicode normalization form C (NFC). No control, format, zero-width, bidirectional, filler, private-use or unassigned characters and no line separators (U+FE0F is allowed after a visible character); no white space at the beginning, at the end, or twice in a row. No word of it may begin or end with house, demo, operator, admin, administrator, support, official, system or moderator, also where look-alike letters, figures, accents, capitals or spaces hide that: these are for the exchange's own accounts. Only operators' tokens without the scope `accounts-own` may give such names. */
    readonly displayName: string;
    /**
     * Dollars. Default: the STARTING_BALANCE setting of the service.
     */
    readonly startingBalance?: D | undefined;
    /**
     * @default [
     *       "view",
     *       "trade",
     *       "master",
     *       "reconcile"
     *     ]
     */
    readonly permissions?: readonly ("view" | "trade" | "master" | "reconcile")[] | undefined;
}

export interface ApprovedAccount<D = number> {
    readonly account: Account<D>;
}

export interface ClosedAccount<D = number> {
    readonly account: Account<D>;
    /** Keys of the account and its sub-accounts that were revoked. */
    readonly revokedKeys: number;
    /** Orders of the account and its sub-accounts that were cancelled. */
    readonly cancelledOrders: number;
}

export interface ForgottenAccount<D = number> {
    /** Its displayName is `Trader` and the last six characters of its id. */
    readonly account: {
        readonly id: string;
        readonly displayName: string;
        /** ISO 8601, UTC, with milliseconds. */
        readonly createdAt: string;
        readonly startingBalance: D;
    };
}

export interface OperatorStatus {
    readonly journalSeq: number;
    /** The number of the writer: it grows whenever another process becomes the leader. */
    readonly epoch: number;
    readonly shard: string;
    /** The commands that wait for a decision. */
    readonly queueDepth: number;
    readonly projections: readonly {
        readonly name: string;
        readonly seq: number;
        readonly lagEvents: number;
        readonly lagMs: number;
        /** Why the projection is not read, and how to end that: the journal does not answer, can lose events, or is another one. Null while the projection follows the journal. */
        readonly problem: string | null;
    }[];
    readonly version: string;
    readonly uptimeMs: number;
}

export interface Usage {
    readonly day: string;
    /** At most 100, those with most commands first. */
    readonly fleets: readonly FleetUsage[];
}

export interface FleetUsage {
    readonly primaryAccountId: string;
    /** The commands that appended something: refusals, replays and previews are none. */
    readonly commands: number;
    readonly events: number;
    /** The size of these events in the journal. */
    readonly bytes: number;
}

export interface BatchAnswer<D = number> {
    /** One result for each command, in their order. */
    readonly results: readonly ({
        readonly ok: true;
        /** Whether this command changed the state. It is false if the state was already as requested, for example a market that was listed before with the same body. A replay repeats the first value. */
        readonly changed: boolean;
        readonly result: Market<D> | SettledMarket<D> | RecordedSignal | OpenedAccount<D> | CreatedApiKey<D> | ApprovedAccount<D>;
    } | {
        readonly ok: false;
        readonly status: number;
        readonly error: string;
        readonly code: "validation_failed" | "invalid_tick" | "insufficient_balance" | "insufficient_shares" | "market_not_active" | "market_already_resolved" | "order_not_open" | "duplicate_client_order_id" | "mandate_exceeded" | "idempotency_conflict" | "limit_reached" | "tape_not_found" | "backtest_limit" | "backtest_not_ended" | "backtest_ended" | "not_authenticated" | "forbidden" | "kyc_required" | "primary_account_required" | "left_out" | "market_not_found" | "account_not_found" | "backtest_not_found" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable";
    })[];
}

export interface BatchInput<D = number> {
    readonly commands: readonly ({
        readonly op: "list-market";
        /** The id of the market; generated if it is left out. */
        readonly id?: string | undefined;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly title: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly ticker: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly companySlug: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly sector: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly category: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly settlementSource: string;
        /**
         * The probability before the first trade, to four decimals.
         */
        readonly prior: D;
        /**
         * Format: date-time
         * The end of trading. It must be later than now, unless the status is `closed`.
         */
        readonly closesAt: string;
        /**
         * @default 0.0001
         */
        readonly tickSize?: D | undefined;
        /**
         * @default 0
         */
        readonly companyImpact?: D | undefined;
        /** @default [] */
        readonly drivers?: readonly string[] | undefined;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters; line feeds and tabs are allowed. */
        readonly description?: string | undefined;
        readonly citationUrl?: string | undefined;
        /**
         * `active`: takes orders at once. `pending`: scheduled, takes orders after it is activated. `closed`: takes orders after it is activated, if closesAt is later than now.
         * @default active
         */
        readonly status?: ("active" | "pending" | "closed") | undefined;
    } | {
        readonly op: "amend-market";
        /** The id of the market or account. */
        readonly id: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly title?: string | undefined;
        /** Format: date-time */
        readonly closesAt?: string | undefined;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters; line feeds and tabs are allowed. */
        readonly description?: string | undefined;
        readonly citationUrl?: string | undefined;
        readonly drivers?: readonly string[] | undefined;
        readonly companyImpact?: D | undefined;
    } | {
        readonly op: "activate-market";
        /** The id of the market or account. */
        readonly id: string;
    } | {
        readonly op: "pause-market";
        /** The id of the market or account. */
        readonly id: string;
    } | {
        readonly op: "close-market";
        /** The id of the market or account. */
        readonly id: string;
    } | {
        readonly op: "resolve-market";
        /** The id of the market or account. */
        readonly id: string;
        readonly outcome: "yes" | "no";
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly headline?: string | undefined;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly source?: string | undefined;
        readonly citationUrl?: string | undefined;
    } | {
        readonly op: "void-market";
        /** The id of the market or account. */
        readonly id: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly reason: string;
        /**
         * Dollars that a YES share pays, in steps of 0.0001; a NO share pays 1 minus it.
         */
        readonly price: D;
    } | {
        readonly op: "record-signal";
        /** The id of the signal at its source. */
        readonly externalId: string;
        /** Who published the signal. Not `exchange`, in any case or look-alike. */
        readonly source: string;
        /** No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters. */
        readonly headline: string;
        readonly citationUrl: string;
        /**
         * Format: date-time
         * The time of publication, ISO 8601 with an offset; at most 24 hours after it is recorded.
         */
        readonly publishedAt: string;
        /** The kind of event that the signal reports, for timelines. */
        readonly event?: string | undefined;
        /** The market that the signal is about. Left out: the whole platform. */
        readonly marketId?: string | undefined;
        /**
         * The fair probability, according to the source.
         */
        readonly fairProb?: D | undefined;
        /**
         * The figure that the signal reports.
         */
        readonly factValue?: D | undefined;
        /**
         * The figure that factValue is compared with.
         */
        readonly threshold?: D | undefined;
        /**
         * The confidence of the source in its fair probability.
         */
        readonly confidence?: D | undefined;
        /** The age of the signal in ms. Default: the time since publishedAt. */
        readonly freshnessMs?: number | undefined;
    } | {
        readonly op: "open-account";
        /** Unicode normalization form C (NFC). No control, format, zero-width, bidirectional, filler, private-use or unassigned characters and no line separators (U+FE0F is allowed after a visible character); no white space at the beginning, at the end, or twice in a row. No word of it may begin or end with house, demo, operator, admin, administrator, support, official, system or moderator, also where look-alike letters, figures, accents, capitals or spaces hide that: these are for the exchange's own accounts. Only operators' tokens without the scope `accounts-own` may give such names. */
        readonly displayName: string;
        /**
         * Dollars. Default: the STARTING_BALANCE setting of the service.
         */
        readonly startingBalance?: D | undefined;
        /**
         * @default [
         *       "view",
         *       "trade",
         *       "master",
         *       "reconcile"
         *     ]
         */
        readonly permissions?: readonly ("view" | "trade" | "master" | "reconcile")[] | undefined;
    } | {
        readonly op: "issue-key";
        /** The id of the market or account. */
        readonly id: string;
        /** Unicode normalization form C (NFC). No control, format, zero-width, bidirectional, filler, private-use or unassigned characters and no line separators (U+FE0F is allowed after a visible character); no white space at the beginning, at the end, or twice in a row. */
        readonly name: string;
        readonly permissions: readonly ("view" | "trade" | "master" | "reconcile")[];
    } | {
        readonly op: "approve-account";
        /** The id of the market or account. */
        readonly id: string;
    } | Record<string, never>)[];
}

export interface MarketHolders {
    readonly marketId: string;
    /** The number of accounts that hold shares. */
    readonly accounts: number;
    /** The YES shares of all accounts; each has its NO share. */
    readonly yesShares: number;
    readonly noShares: number;
    /** The accounts with the most shares, most first. */
    readonly holders: readonly {
        readonly accountId: string;
        readonly displayName: string;
        readonly yesShares: number;
        readonly noShares: number;
    }[];
}

export interface ListedAccount<D = number> {
    readonly id: string;
    readonly displayName: string;
    /** ISO 8601, UTC, with milliseconds. */
    readonly createdAt: string;
    readonly startingBalance: D;
    /** Whether the account may trade; true for all where nothing is approved. */
    readonly approved: boolean;
    /** Whether the account is closed: it has no keys and no orders any more. */
    readonly closed: boolean;
}

export interface OneSidedTransfer<D = number> {
    /** The account that lost. */
    readonly from: {
        readonly accountId: string;
        readonly displayName: string;
    };
    /** The account that gained. */
    readonly to: {
        readonly accountId: string;
        readonly displayName: string;
    };
    readonly trades: number;
    readonly shares: number;
    /**
     * What the trades between the two have moved to the one that gained, in dollars.
     */
    readonly amount: D;
    /** ISO 8601, UTC, with milliseconds. */
    readonly lastTradeAt: string;
}

export interface RebuildStatus {
    /** The version of the read models that this service reads. */
    readonly version: number;
    /** Whether a rebuild is at work now. */
    readonly running: boolean;
    readonly schemas: readonly {
        readonly schema: string;
        readonly version: number;
        /**
         * `active`: is read. `filling`: a rebuild fills it, or was cut off. `former`: was active, and can serve again.
         */
        readonly status: "active" | "filling" | "former";
        /** The sequence that it has reached. */
        readonly seq: number;
        /** Its size on disk, with its indexes. */
        readonly bytes: number;
    }[];
}

export interface Operations<D = number> {
    /** Let a market take orders. */
    readonly activateMarket: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly answer: Market<D>;
    };
    /** Let the clock of a backtest move. */
    readonly advanceClock: {
        readonly body: AdvanceClockInput;
        readonly answer: AdvancedClock<D>;
    };
    /** Change the texts or closing time of a market. */
    readonly amendMarket: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly body: AmendMarketInput<Decimal>;
        readonly answer: Market<D>;
    };
    /** Change the price or the quantity of an open order. */
    readonly amendOrder: {
        readonly params: {
            /** The id of the order. */
            readonly id: string;
        };
        readonly body: AmendOrderInput<Decimal>;
        readonly answer: OrderDetail<D>;
    };
    /** Approve an account for trading. */
    readonly approveAccount: {
        readonly params: {
            /** The id of the account. */
            readonly id: string;
        };
        readonly answer: ApprovedAccount<D>;
    };
    /** Cancel an order. */
    readonly cancelOrder: {
        readonly params: {
            /** The id of the order. */
            readonly id: string;
        };
        readonly answer: {
            readonly ok: boolean;
        };
    };
    /** Cancel many orders. */
    readonly cancelOrders: {
        readonly query: {
            /** Only orders of this market. */
            readonly marketId?: string | undefined;
            /**
             * Only orders for this outcome.
             */
            readonly outcome?: ("yes" | "no") | undefined;
            /**
             * Only buys, or only sells.
             */
            readonly side?: ("buy" | "sell") | undefined;
            /**
             * With true also the orders of the sub-accounts.
             */
            readonly fleet?: "true" | undefined;
        };
        readonly answer: CancelledOrders;
    };
    /** Close a primary account with its sub-accounts. */
    readonly closeAccount: {
        readonly params: {
            /** The id of the account. */
            readonly id: string;
        };
        readonly answer: ClosedAccount<D>;
    };
    /** Close a market to trading. */
    readonly closeMarket: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly answer: Market<D>;
    };
    /** Close a sub-account. */
    readonly closeSubAccount: {
        readonly params: {
            /** The id of the sub-account. */
            readonly id: string;
        };
        readonly answer: {
            readonly ok: boolean;
        };
    };
    /** List a market for trading. */
    readonly createMarket: {
        readonly body: ListMarketInput<Decimal>;
        readonly answer: Market<D>;
    };
    /** Create a sub-account with its first key. */
    readonly createSubAccount: {
        readonly body: CreateSubAccountInput;
        readonly answer: CreatedSubAccount<D>;
    };
    /** Create a key for a sub-account or the primary. */
    readonly createSubAccountKey: {
        readonly params: {
            /** The id of a sub-account, or of the primary itself. */
            readonly id: string;
        };
        readonly body: CreateApiKeyInput;
        readonly answer: CreatedApiKey<D>;
    };
    /** End and delete a backtest. */
    readonly deleteBacktest: {
        readonly params: {
            /** The id of the backtest. */
            readonly id: string;
        };
        readonly answer: {
            readonly ok: boolean;
        };
    };
    /** Download trades of all markets. */
    readonly downloadTrades: {
        readonly query: {
            /** Only trades of this market; left out: of all markets. */
            readonly marketId?: string | undefined;
            /**
             * Format: date-time
             * Only trades at or after this time.
             */
            readonly from?: string | undefined;
            /**
             * Format: date-time
             * Only trades before this time.
             */
            readonly to?: string | undefined;
            /**
             * The format of the answer.
             * @default json
             */
            readonly format?: ("json" | "csv" | "ndjson") | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 500
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly Trade<D>[];
    };
    /** Forget the names of a closed account. */
    readonly forgetAccount: {
        readonly params: {
            /** The id of the account. */
            readonly id: string;
        };
        readonly answer: ForgottenAccount<D>;
    };
    /** Get the latest activity of the platform. */
    readonly getActivity: {
        readonly answer: Activity;
    };
    /** Get a backtest. */
    readonly getBacktest: {
        readonly params: {
            /** The id of the backtest. */
            readonly id: string;
        };
        readonly answer: Backtest;
    };
    /** Get a backtest's report. */
    readonly getBacktestReport: {
        readonly params: {
            /** The id of the backtest. */
            readonly id: string;
        };
        readonly query: {
            /**
             * With true also before its end, and of a failed one: what its journal has.
             */
            readonly partial?: "true" | undefined;
        };
        readonly answer: BacktestReport<D>;
    };
    /** Read the clock of a backtest. */
    readonly getClock: {
        readonly answer: BacktestClock;
    };
    /** Get the dead-man switch. */
    readonly getDeadManSwitch: {
        readonly answer: DeadManSwitch;
    };
    /** Check the health of the service. */
    readonly getHealth: {
        readonly answer: Health;
    };
    /** Rank accounts by portfolio value. */
    readonly getLeaderboard: {
        readonly query: {
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly LeaderboardEntry<D>[];
    };
    /** Get one market. */
    readonly getMarket: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly answer: Market<D>;
    };
    /** Get a market's candles. */
    readonly getMarketCandles: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly query: {
            /**
             * The period of a candle in minutes.
             */
            readonly period: 1 | 5 | 15 | 60 | 1440;
            /**
             * Format: date-time
             * Only candles that start at or after this time.
             */
            readonly from?: string | undefined;
            /**
             * Format: date-time
             * Only candles that start before this time.
             */
            readonly to?: string | undefined;
            /**
             * The largest number of items; more than 5000 is taken as 5000.
             * @default 500
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: Candles<D>;
    };
    /** Get a market's timeline. */
    readonly getMarketEvents: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly query: {
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 500
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: MarketEvents<D>;
    };
    /** Get the account and the key of this request. */
    readonly getMe: {
        readonly answer: Me<D>;
    };
    /** Get this document. */
    readonly getOpenApi: {
        readonly answer: {
            readonly openapi: string;
        } & {
            readonly [key: string]: unknown;
        };
    };
    /** Get the state of journal and projections. */
    readonly getOperatorStatus: {
        readonly answer: OperatorStatus;
    };
    /** Get an order. */
    readonly getOrder: {
        readonly params: {
            /** The id of the order. */
            readonly id: string;
        };
        readonly answer: OrderDetail<D>;
    };
    /** Get a market's order book. */
    readonly getOrderBook: {
        readonly params: {
            /** The id of the market. */
            readonly marketId: string;
        };
        readonly query: {
            /** Reads the state just after this event of the journal: any sequence from 1 to the newest. It needs a key. The answer never changes, so it may be cached (`Cache-Control: private, immutable`), and `X-Journal-Seq` is this sequence. */
            readonly asOfSeq?: number | undefined;
        };
        readonly answer: OrderBook<D>;
    };
    /** Get an order by the client's own id. */
    readonly getOrderByClientId: {
        readonly params: {
            /** The clientOrderId of the order. */
            readonly clientOrderId: string;
        };
        readonly answer: OrderDetail<D>;
    };
    /** Get an order's history, event by event. */
    readonly getOrderHistory: {
        readonly params: {
            /** The id of the order. */
            readonly id: string;
        };
        readonly query: {
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 500
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: OrderHistory<D>;
    };
    /** List the sequences of an order's events. */
    readonly getOrderSequences: {
        readonly params: {
            /** The id of the order. */
            readonly id: string;
        };
        readonly query: {
            /**
             * The largest number of items; more than 1000 is taken as 1000.
             * @default 1000
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: OrderSequences;
    };
    /** Get cash, positions, orders, trades and results. */
    readonly getPortfolio: {
        readonly query: {
            /** Reads the state just after this event of the journal: any sequence from 1 to the newest. It needs a key. The answer never changes, so it may be cached (`Cache-Control: private, immutable`), and `X-Journal-Seq` is this sequence. */
            readonly asOfSeq?: number | undefined;
        };
        readonly answer: Portfolio<D>;
    };
    /** List the account's positions. */
    readonly getPositions: {
        readonly answer: Positions<D>;
    };
    /** Get the state of the read models and of a rebuild. */
    readonly getRebuildStatus: {
        readonly answer: RebuildStatus;
    };
    /** Get an account's public results. */
    readonly getTrader: {
        readonly params: {
            /** The id of the account, as the leaderboard shows it. */
            readonly id: string;
        };
        readonly query: {
            /**
             * Format: date-time
             * Where `equity` begins, with the value then; left out, or before the opening: at the opening.
             */
            readonly from?: string | undefined;
        };
        readonly answer: Trader<D>;
    };
    /** Get the fleets that sent most commands on a day. */
    readonly getUsage: {
        readonly query: {
            /** The UTC day; left out: today. */
            readonly day?: string | undefined;
        };
        readonly answer: Usage;
    };
    /** Issue a key for a primary account. */
    readonly issueAccountKey: {
        readonly params: {
            /** The id of the account. */
            readonly id: string;
        };
        readonly body: CreateApiKeyInput;
        readonly answer: CreatedApiKey<D>;
    };
    /** List primary accounts, newest first. */
    readonly listAccounts: {
        readonly query: {
            /**
             * Only accounts that may trade, or only those that may not yet; left out: all.
             */
            readonly approved?: ("true" | "false") | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly ListedAccount<D>[];
    };
    /** List the fleet's backtests. */
    readonly listBacktests: {
        readonly answer: BacktestList;
    };
    /** List the account's fills. */
    readonly listFills: {
        readonly query: {
            /** Only items of this market; left out: all markets. */
            readonly marketId?: string | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly Fill<D>[];
    };
    /** List who holds shares of a market. */
    readonly listHolders: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly query: {
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
        };
        readonly answer: MarketHolders;
    };
    /** List the fleet's keys. */
    readonly listKeys: {
        readonly query: {
            /**
             * The largest number of items; more than 100 is taken as 100.
             * @default 100
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: FleetKeyList<D>;
    };
    /** List the fleet's movements of cash and shares. */
    readonly listLedger: {
        readonly query: {
            /**
             * The format of the answer.
             * @default json
             */
            readonly format?: ("json" | "csv") | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 500
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly LedgerEntry<D>[];
    };
    /** List active markets with computed signals. */
    readonly listMarketSignals: {
        readonly answer: readonly MarketSignal<D>[];
    };
    /** List and search markets. */
    readonly listMarkets: {
        readonly query: {
            /**
             * The status of the markets to list.
             * @default active
             */
            readonly status?: ("active" | "resolved" | "pending") | undefined;
            /** The sector of the markets to list; left out: all. */
            readonly sector?: string | undefined;
            /** The company of the markets to list; left out: all. */
            readonly companySlug?: string | undefined;
            /** A text that the title, the ticker or the company has to contain, in any case. `%`, `_` and `*` stand for themselves. Where none contains it, and the database has pg_trgm, those are listed that have words like it, so a typo finds. */
            readonly q?: string | undefined;
            /**
             * The order of the list; left out: `newest`.
             */
            readonly sort?: ("newest" | "activity" | "closing" | "movement") | undefined;
            /**
             * What to add to each market: `trend` adds `change24h` and `spark`; left out: nothing.
             */
            readonly fields?: "trend" | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly Market<D>[];
    };
    /** List markets of any phase, newest first. */
    readonly listMarketsByPhase: {
        readonly query: {
            /**
             * The phase of the markets to list; left out: all.
             */
            readonly phase?: ("scheduled" | "active" | "paused" | "closed" | "settling" | "resolved" | "void") | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly Market<D>[];
    };
    /** List moments of a market's history. */
    readonly listMoments: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly query: {
            /**
             * Format: date-time
             * Only events at or after this time.
             */
            readonly from?: string | undefined;
            /**
             * Format: date-time
             * Only events before this time.
             */
            readonly to?: string | undefined;
            /**
             * The largest number of moments; more than 500 is taken as 500.
             * @default 100
             */
            readonly points?: number | undefined;
        };
        readonly answer: Moments<D>;
    };
    /** List pairs of accounts between which money moved. */
    readonly listOneSidedTransfers: {
        readonly query: {
            /**
             * Format: date-time
             * Only trades at this time or later; left out: of the last 7 days.
             */
            readonly from?: string | undefined;
            /**
             * Dollars that the sum must exceed.
             * @default 1000
             */
            readonly above?: number | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
        };
        readonly answer: readonly OneSidedTransfer<D>[];
    };
    /** List what is open. */
    readonly listOpenOrders: {
        readonly query: {
            /** Only items of this market; left out: all markets. */
            readonly marketId?: string | undefined;
            /**
             * With true also the orders of the sub-accounts.
             */
            readonly fleet?: "true" | undefined;
            /**
             * The largest number of items; more than 1000 is taken as 1000.
             * @default 1000
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: OpenOrders<D>;
    };
    /** List the account's orders. */
    readonly listOrders: {
        readonly query: {
            /** Only items of this market; left out: all markets. */
            readonly marketId?: string | undefined;
            /**
             * Only orders of this status; left out: all.
             */
            readonly status?: ("open" | "partial" | "filled" | "cancelled") | undefined;
            /** A sub-account of your fleet, for a key with `master`; left out: the account of the key. */
            readonly accountId?: string | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 500
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly Order<D>[];
    };
    /** List recent signals of all markets. */
    readonly listRecentSignals: {
        readonly query: {
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: RecentSignals<D>;
    };
    /** List recent trades of all markets. */
    readonly listRecentTrades: {
        readonly query: {
            /** Only trades of this market; left out: of all markets. */
            readonly marketId?: string | undefined;
            /**
             * Format: date-time
             * Only trades at or after this time.
             */
            readonly from?: string | undefined;
            /**
             * Format: date-time
             * Only trades before this time.
             */
            readonly to?: string | undefined;
            /**
             * The largest number of items; more than 500 is taken as 500.
             * @default 50
             */
            readonly limit?: number | undefined;
            /** The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire. */
            readonly cursor?: string | undefined;
        };
        readonly answer: readonly RecentTrade<D>[];
    };
    /** List sub-accounts with their keys. */
    readonly listSubAccounts: {
        readonly answer: SubAccountList<D>;
    };
    /** List the recorded markets. */
    readonly listTapes: {
        readonly answer: TapeList<D>;
    };
    /** Turn pairs of YES and NO shares into cash. */
    readonly mergeShares: {
        readonly body: MergeInput;
        readonly answer: MergedShares<D>;
    };
    /** Open a primary account with its first key. */
    readonly openAccount: {
        readonly body: OpenAccountInput<Decimal>;
        readonly answer: OpenedAccount<D>;
    };
    /** Pause an active market. */
    readonly pauseMarket: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly answer: Market<D>;
    };
    /** Place an order. */
    readonly placeOrder: {
        readonly body: CreateOrderInput<Decimal>;
        readonly answer: Order<D>;
    };
    /** Place up to 50 orders. */
    readonly placeOrders: {
        readonly body: OrderBatchInput<Decimal>;
        readonly answer: OrderBatch<D>;
    };
    /** Preview an order. */
    readonly previewOrder: {
        readonly body: OrderItem<Decimal>;
        readonly answer: OrderPreview<D>;
    };
    /** Read a backtest's journal, one event a line. */
    readonly readBacktestJournal: {
        readonly params: {
            /** The id of the backtest. */
            readonly id: string;
        };
        readonly query: {
            /**
             * The first sequence of the page.
             * @default 1
             */
            readonly from?: number | undefined;
            /**
             * The largest number of items; more than 1000 is taken as 1000.
             * @default 1000
             */
            readonly limit?: number | undefined;
        };
        readonly answer: readonly JournalLine[];
    };
    /** Read the public journal, one event a line. */
    readonly readJournal: {
        readonly query: {
            /**
             * The first sequence of the page.
             * @default 1
             */
            readonly from?: number | undefined;
            /**
             * The largest number of items; more than 1000 is taken as 1000.
             * @default 1000
             */
            readonly limit?: number | undefined;
        };
        readonly answer: readonly JournalLine[];
    };
    /** Record a cited signal. */
    readonly recordSignal: {
        readonly body: RecordSignalInput<Decimal>;
        readonly answer: RecordedSignal;
    };
    /** Change the account's display name. */
    readonly renameAccount: {
        readonly body: RenameAccountInput;
        readonly answer: Me<D>;
    };
    /** Resolve a market. */
    readonly resolveMarket: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly body: ResolveMarketInput;
        readonly answer: SettledMarket<D>;
    };
    /** Revoke any key. */
    readonly revokeAccountKey: {
        readonly params: {
            /** The id of the key, which is not the key itself. */
            readonly keyId: string;
        };
        readonly answer: {
            readonly ok: boolean;
        };
    };
    /** Revoke a key of the fleet. */
    readonly revokeKey: {
        readonly params: {
            /** The id of the key, which is not the key itself. */
            readonly keyId: string;
        };
        readonly answer: {
            readonly ok: boolean;
        };
    };
    /** Send up to 500 operator commands. */
    readonly runOperatorBatch: {
        readonly body: BatchInput<Decimal>;
        readonly answer: BatchAnswer<D>;
    };
    /** Set the dead-man switch. */
    readonly setDeadManSwitch: {
        readonly body: DeadManSwitchInput;
        readonly answer: DeadManSwitch;
    };
    /** Limit what a key may do. */
    readonly setMandate: {
        readonly params: {
            /** The id of the key, which is not the key itself. */
            readonly keyId: string;
        };
        readonly body: MandateInput<Decimal>;
        readonly answer: LimitedApiKey<D>;
    };
    /** Start a backtest. */
    readonly startBacktest: {
        readonly body: StartBacktestInput<Decimal>;
        readonly answer: StartedBacktest;
    };
    /** Stream the account's orders, fills, settlements and cash. */
    readonly streamAccount: {
        readonly query: {
            /**
             * With true also the events of the sub-accounts.
             */
            readonly fleet?: "true" | undefined;
        };
        readonly answer: AccountEvent<D>;
    };
    /** Stream market prices every 2 seconds. */
    readonly streamMarkets: {
        readonly query: {
            /** The market to stream; left out: the 50 most active markets. */
            readonly marketId?: string | undefined;
            /** The markets to stream: up to 100 ids with commas between. An id that is given again counts once. Not together with `marketId`. */
            readonly marketIds?: string | undefined;
        };
        readonly answer: Pulse<D>;
    };
    /** Stream every change of a market's order book. */
    readonly streamOrderBook: {
        readonly params: {
            /** The id of the market. */
            readonly marketId: string;
        };
        readonly answer: OrderBook<D> | BookDelta<D> | RecentTrade<D>;
    };
    /** Void a market. */
    readonly voidMarket: {
        readonly params: {
            /** The id of the market. */
            readonly id: string;
        };
        readonly body: VoidMarketInput<Decimal>;
        readonly answer: SettledMarket<D>;
    };
}
