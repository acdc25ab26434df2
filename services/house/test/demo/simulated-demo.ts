import { endpoints } from '@paper/contracts';
import { Market } from '@paper/contracts/markets';
import type { MarketBody } from '@paper/contracts/markets';
import type { RecentSignalBody } from '@paper/contracts/signals';
import { marketView } from '@paper/exchange';
import { createRandom } from '@paper/testkit';
import type { Requests } from 'paper-trading-client';
import { DemoSimulation } from '../../src/demo/demo-simulation.ts';
import type { DemoMarket } from '../../src/demo/demo-simulation.ts';
import { DEFAULT_DEMO_SETTINGS } from '../../src/demo/settings.ts';
import type { DemoSettings } from '../../src/demo/settings.ts';
import { TRADERS } from '../../src/demo/traders.ts';
import { answer, localClient, optionsOf, textOf } from '../fake-service.ts';
import { World } from '../world.ts';

const MAKERS = ['maker-1', 'maker-2'];
const DRIVERS = ['chips', 'cloud', 'rates', 'demand', 'oil', 'travel'];

const RESOLVE = /^POST \/api\/operator\/markets\/([^/]+)\/resolve$/;

/** Every call of the demo. */
type DemoCall =
  | 'amendOrder'
  | 'cancelOrder'
  | 'cancelOrders'
  | 'createMarket'
  | 'getPortfolio'
  | 'getPositions'
  | 'listFills'
  | 'listMarkets'
  | 'listMarketsByPhase'
  | 'listOrders'
  | 'listRecentSignals'
  | 'placeOrder'
  | 'placeOrders'
  | 'recordSignal'
  | 'resolveMarket';

/** Markets like those of the standalone. */
export function demoMarkets(count: number): readonly DemoMarket[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `market-${index}`,
    ticker: `M${index}`,
    prior: 0.15 + (0.7 * index) / count,
    drivers: [DRIVERS[index % 6] ?? '', DRIVERS[(index * 5 + 1) % 6] ?? ''],
  }));
}

export interface SimulationOptions {
  readonly seed: number;
  readonly markets?: number;
  readonly isWatched?: () => boolean;
  readonly settings?: Partial<DemoSettings>;
  /** Continues in this exchange, as after a restart. */
  readonly exchange?: SimulatedExchange;
}

/** The real exchange in memory, with the operator's calls, the signals and clients that need no network. */
export class SimulatedExchange {
  readonly world: World;
  readonly signals: RecentSignalBody[] = [];
  /** Whether a call's answer is lost after the call was carried out. */
  loses: (name: string) => boolean = () => false;
  /** Every request so far, as `account METHOD path`. */
  readonly requests: string[] = [];
  /** Called when a signal was recorded, before anybody else reads it. */
  onSignal: (signal: RecentSignalBody) => void = () => undefined;

  constructor(seed: number) {
    this.world = new World(seed);
  }

  /** A client with the key of this account; `operator` for the operator's. */
  client(account: string): Requests<DemoCall> {
    return localClient((name, body, query) => {
      this.requests.push(`${account} ${name}`);
      const answered = this.#answer(account, name, body, query);
      if (this.loses(name)) throw new Error(`the answer to ${name} is lost`);
      return answered;
    });
  }

  markets(): readonly MarketBody[] {
    const [, bodies] = answer(this.world, '', 'GET /api/markets', '');
    return bodies as readonly MarketBody[];
  }

  #answer(
    account: string,
    name: string,
    body: unknown,
    query: Readonly<Record<string, unknown>>,
  ): readonly [number, unknown] {
    const { world } = this;
    if (name === 'GET /api/portfolio') {
      const [, { positions }] = answer(world, account, 'GET /api/positions', '') as [number, { positions: unknown }];
      const cash = world.cashUnits(account) / 10_000;
      return [200, { positions, summary: { cash, portfolioValue: cash, startingBalance: 10_000 } }];
    }
    if (name === 'POST /api/operator/markets') return this.#list(endpoints.createMarket.body.parse(body));
    if (name === 'POST /api/operator/signals') return this.#record(endpoints.recordSignal.body.parse(body));
    const [, resolved] = RESOLVE.exec(name) ?? [];
    if (resolved !== undefined) {
      const { outcome } = endpoints.resolveMarket.body.parse(body);
      const decision = world.resolve(resolved, outcome);
      return decision.kind === 'rejected' ? [400, { error: decision.message, code: decision.code }] : [200, {}];
    }
    if (name === 'GET /api/operator/markets') {
      const views = [...world.state.markets.keys()].flatMap((id) => marketView(world.state, id) ?? []);
      return [200, views.filter((view) => view.phase === query['phase']).map(Market.body)];
    }
    const options = { ...optionsOf(query), signals: this.signals.slice(-500) };
    return answer(world, account, name, textOf(body), options);
  }

  #list({
    closesAt,
    id = '',
    prior,
  }: {
    closesAt: string;
    id?: string | undefined;
    prior: number;
  }): readonly [number, unknown] {
    if (this.world.state.markets.has(id)) {
      return [400, { error: 'listed with another body', code: 'idempotency_conflict' }];
    }
    this.world.list(id, Math.round(prior * 10_000), 100, Date.parse(closesAt));
    return [200, {}];
  }

  #record(input: ReturnType<typeof endpoints.recordSignal.body.parse>): readonly [number, unknown] {
    const { citationUrl, confidence, event, externalId, fairProb, headline, marketId, source } = input;
    const decision = this.world.recordSignal({
      citationUrl,
      confidence: confidence ?? null,
      event: event ?? null,
      externalId,
      factValue: null,
      fairProb: fairProb ?? null,
      freshnessMs: null,
      headline,
      marketId: marketId ?? null,
      publishedAt: Date.parse(input.publishedAt),
      source,
      threshold: null,
    });
    if (decision.kind === 'rejected') return [400, { error: decision.message, code: decision.code }];
    const signal: RecentSignalBody = {
      id: externalId,
      source,
      headline,
      citationUrl,
      publishedAt: input.publishedAt,
      marketProbBefore: null,
      marketProbAfter: null,
      fairProb: fairProb ?? null,
      marketId: marketId ?? null,
      seq: this.world.state.seq,
    };
    this.signals.push(signal);
    this.onSignal(signal);
    return [200, { id: externalId, seq: this.world.state.seq }];
  }
}

/** The demo's world on a simulated exchange and clock. The same seed gives the same run. */
export class SimulatedDemo {
  readonly exchange: SimulatedExchange;
  readonly demo: DemoSimulation;
  readonly markets: readonly DemoMarket[];
  readonly settings: DemoSettings;

  constructor({ exchange, isWatched = () => true, markets = 36, seed, settings = {} }: SimulationOptions) {
    this.exchange = exchange ?? new SimulatedExchange(seed);
    const { world } = this.exchange;
    this.markets = demoMarkets(markets);
    this.settings = { ...DEFAULT_DEMO_SETTINGS, ...settings };
    if (exchange === undefined) {
      for (const { id, prior } of this.markets) world.list(id, Math.round(prior * 100) * 100);
      for (const account of MAKERS) world.open(account);
      for (const { role } of TRADERS) world.open(role, 10_000);
    }
    const random = createRandom(seed ^ 0x5eed);
    this.demo = new DemoSimulation({
      baseUrl: 'http://demo.test',
      reader: this.exchange.client('maker-1'),
      makers: MAKERS.map((account) => this.exchange.client(account)),
      traders: TRADERS.map(({ displayName, role, trader }) => ({
        name: displayName,
        trader,
        client: this.exchange.client(role),
      })),
      operator: this.exchange.client('operator'),
      markets: this.markets,
      isWatched,
      settings: this.settings,
      chance: () => random.next() / 2 ** 32,
      now: () => world.nowMs,
    });
  }

  /** Lets the clock and the world go on for one turn. */
  async turn(ms = this.settings.turnMs): Promise<void> {
    const { world } = this.exchange;
    world.nowMs += ms;
    world.closeDue();
    await this.demo.turn();
  }

  async run(minutes: number, eachTurn: () => void = () => undefined): Promise<void> {
    const until = this.exchange.world.nowMs + minutes * 60_000;
    while (this.exchange.world.nowMs < until) {
      await this.turn();
      eachTurn();
    }
  }

  /** An account's worth in units, each share at the hidden value. */
  worth(account: string): number {
    const { world } = this.exchange;
    let sum = world.cashUnits(account);
    for (const id of world.state.markets.keys()) {
      const { no, yes } = world.held(account, id);
      const value = (this.demo.valueOf(id) ?? 0.5) * 10_000;
      sum += yes * value + no * (10_000 - value);
    }
    return sum;
  }
}
