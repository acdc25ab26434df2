import { createClient, readPages } from 'paper-trading-client';
import { FairValues } from './anchors.ts';
import type { Anchor } from './anchors.ts';
import { assertNotDelayed } from './api-answers.ts';
import type { HouseClient } from './api-answers.ts';
import { LossBudgets } from './budget.ts';
import { DayResults } from './day-results.ts';
import { loop } from './loop.ts';
import type { HouseLogger } from './loop.ts';
import { createMaker } from './maker.ts';
import { DEFAULT_HOUSE_SETTINGS } from './settings.ts';
import type { HouseSettings } from './settings.ts';
import { createTaker } from './taker.ts';

const TIMEOUT_MS = 10_000;

export interface HouseMarket {
  readonly id: string;
  readonly prior: number;
}

interface HouseOptions {
  readonly baseUrl: string;
  /** Keys of two primary accounts with the trade permission: one account's orders never trade with each other. */
  readonly makerKey: string;
  readonly takerKey: string | null;
  /** The markets to trade. Called in every turn, so that a market listed later is quoted too. */
  readonly markets: () => readonly HouseMarket[];
  readonly logger: HouseLogger;
  readonly settings?: Partial<HouseSettings>;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * Creates the bots of the house (this service): a maker that quotes and a taker that trades a little. Both are clients
 * of the public API.
 */
export function createHouse(options: HouseOptions) {
  const settings: HouseSettings = { ...DEFAULT_HOUSE_SETTINGS, ...options.settings };
  if (settings.maxSkewUnits >= settings.halfSpreadUnits || settings.takeEdgeUnits > settings.halfSpreadUnits) {
    throw new Error('the half spread must be above the skew and at least the taker’s edge');
  }
  const { logger, random = Math.random, now = Date.now } = options;
  const ended = new AbortController();
  const clientOf = (key: string): HouseClient =>
    createClient({ baseUrl: options.baseUrl, key, signal: ended.signal, timeoutMs: TIMEOUT_MS });
  const maker = clientOf(options.makerKey);
  const taker = options.takerKey === null ? null : clientOf(options.takerKey);
  const losses = new LossBudgets(settings.marketLossUnits, settings.houseLossUnits);
  const results = new DayResults(settings.marketDayLossUnits);

  const fairValues = new FairValues();
  let active: ReadonlyMap<string, number> = new Map();
  let refreshedAt = -Infinity;

  const refresh = async (): Promise<void> => {
    if (now() - refreshedAt < settings.refreshMs) return;
    const [markets, signals] = await Promise.all([
      readPages((cursor) => maker.request('listMarkets', { query: { status: 'active', limit: 500, cursor } })),
      maker.request('listRecentSignals', { query: { limit: refreshedAt === -Infinity ? 500 : 50 } }),
    ]);
    assertNotDelayed(signals);
    active = new Map(markets.map((market) => [market.id, market.tickSize]));
    fairValues.learn(signals.body.signals);
    refreshedAt = now();
  };

  const anchors = (): readonly Anchor[] =>
    options.markets().flatMap(({ id, prior }) => {
      const tickSize = active.get(id);
      return tickSize === undefined ? [] : [fairValues.anchor(id, prior, tickSize)];
    });

  const isDropped = (marketId: string): boolean =>
    active.has(marketId) && !options.markets().some(({ id }) => id === marketId);

  const quoteAll = createMaker({ client: maker, anchors, isDropped, losses, results, settings, logger, now });
  const take = taker === null ? null : createTaker({ client: taker, anchors, losses, results, settings, random, now });
  const quote = async (): Promise<void> => {
    await refresh();
    await quoteAll();
  };
  let running: Promise<unknown> | null = null;

  return {
    start(): void {
      running ??= Promise.all([
        loop('maker', quote, () => settings.makerIntervalMs, ended.signal, logger),
        take === null
          ? null
          : loop('taker', take, () => settings.takerIntervalMs * (0.5 + random()), ended.signal, logger),
      ]);
    },
    /** Stops both bots. Their quotes stay in the book; the next start adopts them. */
    async stop(): Promise<void> {
      ended.abort();
      await running;
    },
  };
}
