import { createClient } from 'paper-trading-client';
import type { PaperTradingClient } from 'paper-trading-client';
import { loop } from '../loop.ts';
import type { HouseLogger } from '../loop.ts';
import type { Chance } from './chance.ts';
import { DemoSimulation } from './demo-simulation.ts';
import type { DemoMarket } from './demo-simulation.ts';
import { DEFAULT_DEMO_SETTINGS } from './settings.ts';
import { TRADERS } from './traders.ts';

const TIMEOUT_MS = 10_000;
const LOOK_AGAIN_MS = 2_000;

interface DemoOptions {
  readonly baseUrl: string;
  /** The service's address in citations. Default: baseUrl. */
  readonly citedUrl?: string;
  readonly operatorToken: string;
  /** The makers' keys, of two primary accounts that are not ranked. */
  readonly makerKeys: readonly [string, string];
  /** The keys of the accounts of `TRADERS`, in the same order. */
  readonly traderKeys: readonly string[];
  readonly markets: readonly DemoMarket[];
  /** Whether a client other than the demo has been connected within the last ten minutes. */
  readonly isWatched: () => boolean;
  readonly logger: HouseLogger;
  /** The random stream. Default: unseeded, so that no client can compute the hidden values. */
  readonly chance?: Chance;
  readonly now?: () => number;
}

/** Creates the demo: makers and traders are clients of the public API, and news is sent through the operator's. */
export function createDemo(options: DemoOptions) {
  const { baseUrl, chance = Math.random, isWatched, logger, markets, now = Date.now } = options;
  const settings = DEFAULT_DEMO_SETTINGS;
  const ended = new AbortController();
  const clientOf = (key: string): PaperTradingClient =>
    createClient({ baseUrl, key, signal: ended.signal, timeoutMs: TIMEOUT_MS });
  const makers = options.makerKeys.map(clientOf);
  const traders = TRADERS.flatMap(({ displayName, trader }, index) => {
    const key = options.traderKeys[index];
    return key === undefined ? [] : [{ name: displayName, trader, client: clientOf(key) }];
  });
  const simulation = new DemoSimulation({
    baseUrl: options.citedUrl ?? baseUrl,
    reader: clientOf(options.makerKeys[0]),
    makers,
    traders,
    operator: clientOf(options.operatorToken),
    markets,
    isWatched,
    settings,
    chance,
    now,
  });
  let running: Promise<void> | null = null;
  return {
    start(): void {
      const pauseMs = (): number => (isWatched() ? settings.turnMs : LOOK_AGAIN_MS);
      running ??= loop('demo', () => simulation.turn(), pauseMs, ended.signal, logger);
    },
    /** Stops the simulated traders. Their quotes stay in the books. */
    async stop(): Promise<void> {
      ended.abort();
      await running;
    },
  };
}
