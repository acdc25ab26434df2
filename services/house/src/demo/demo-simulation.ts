import { MINUTE_MS } from '@paper/contracts/units';
import type { MarketBody } from '@paper/contracts/markets';
import type { FillBody } from '@paper/contracts/orders';
import { readPages } from 'paper-trading-client';
import type { Requests } from 'paper-trading-client';
import { holdings, assertNotDelayed, unitsOf } from '../api-answers.ts';
import { edgeUnits, isBid, yesPrice } from '../quotes.ts';
import { between, fractionOf, pickOne } from './chance.ts';
import type { Chance } from './chance.ts';
import { cancelsOnly, halfSpreadUnits, mostUrgent, quoteChanges } from './demo-quotes.ts';
import type { MakerRules, MakerView } from './demo-quotes.ts';
import { LossToOthers } from './loss-to-others.ts';
import { HiddenValues } from './hidden-values.ts';
import { JournalBudget } from './journal-budget.ts';
import { MakerBook } from './maker-book.ts';
import type { MakerClient } from './maker-book.ts';
import { DEMO_SOURCE, newestFairValues, nextNews, signalOf } from './news.ts';
import type { CitedValue, NewsMarket } from './news.ts';
import { PriceHistory } from './price-history.ts';
import { isRound, roundMarket } from './rounds.ts';
import { RoundKeeper } from './round-keeper.ts';
import type { RoundsClient } from './round-keeper.ts';
import type { DemoSettings } from './settings.ts';
import { noise } from './traders.ts';
import type { Trader, TraderOrder } from './traders.ts';

export interface DemoMarket extends NewsMarket {
  readonly prior: number;
}

interface TraderAccount {
  readonly name: string;
  readonly trader: Trader;
  readonly client: Requests<'getPortfolio' | 'placeOrder'>;
}

interface DemoSimulationParts {
  readonly baseUrl: string;
  /** A client with the first maker's key, so that the demo's own reads do not count as activity of clients. */
  readonly reader: Requests<'listMarkets' | 'listRecentSignals'>;
  /** The makers' clients, as many as `settings.makers`. */
  readonly makers: readonly MakerClient[];
  readonly traders: readonly TraderAccount[];
  readonly operator: Requests<'recordSignal'> & RoundsClient;
  readonly markets: readonly DemoMarket[];
  /** Whether a client other than the demo has been connected lately. */
  readonly isWatched: () => boolean;
  readonly settings: DemoSettings;
  readonly chance: Chance;
  readonly now: () => number;
}

/** The longest time that one turn makes up for: a process that was suspended continues from its state. */
const LONGEST_TURN_MS = MINUTE_MS;
/** The most postponed work that one turn does. */
const MOST_AT_ONCE = 10;
/** Usual half spreads. A market's id decides which one it has. */
const HALF_SPREADS_UNITS = [60, 90, 120, 160, 220];
const READ_SIGNALS_MS = 9_000;
/** The liveliness of short markets, which exist only for minutes and so move faster. */
const ROUND_LIVELINESS = 3;
/** The time in which the first short markets of a new demo end, so that a newcomer sees some end. */
const NEW_MS = 2 * MINUTE_MS;
/** The least part of its usual size that a trader trades. */
const LEAST_WEALTH = 0.05;

interface BookOfRules {
  readonly book: MakerBook;
  readonly rules: MakerRules;
}

/**
 * The demo: hidden fair values that news and noise move, makers that follow them late, and traders. After a restart the
 * values begin at those of the newest signals; accounts, quotes and markets are read from the API.
 */
export class DemoSimulation {
  readonly journal: JournalBudget;
  readonly #parts: DemoSimulationParts;
  readonly #hidden: HiddenValues;
  readonly #history = new PriceHistory();
  readonly #given: LossToOthers;
  readonly #makers: readonly BookOfRules[];
  readonly #rounds: RoundKeeper;
  readonly #startedAtMs: number;
  /** Whether no signal existed when the demo started: it has no past. */
  #isNew = true;
  #cited: ReadonlyMap<string, CitedValue> = new Map();
  /** The best prices at which no maker rests, as read in this turn, before the makers' own changes. */
  #others: ReadonlyMap<string, { readonly bidUnits: number | null; readonly askUnits: number | null }> = new Map();
  #lastTurnMs: number | null = null;
  #citedReadMs: number | null = null;
  #newsInMs = 5_000;
  #tradesDue = 0;
  #changesDue = 0;

  constructor(parts: DemoSimulationParts) {
    const { chance, makers, now, settings } = parts;
    this.#parts = parts;
    this.#hidden = new HiddenValues(chance);
    this.#given = new LossToOthers(settings.giveAwayUnits);
    this.journal = new JournalBudget(now);
    this.#makers = settings.makers.flatMap((rules, index) => {
      const client = makers[index];
      return client === undefined ? [] : [{ book: new MakerBook(client), rules }];
    });
    this.#rounds = new RoundKeeper({ ...parts, journal: this.journal });
    this.#startedAtMs = now();
  }

  /** The hidden value of a market (0 to 1), for tests only. */
  valueOf(marketId: string): number | undefined {
    return this.#hidden.of(marketId)?.value;
  }

  /** Advances the demo to the present time; rarely while no client is connected. Throws ApiRefusal, RetryLater. */
  async turn(): Promise<void> {
    const { isWatched, now, settings } = this.#parts;
    const nowMs = now();
    const watched = isWatched();
    const sinceMs = nowMs - (this.#lastTurnMs ?? nowMs);
    if (this.#lastTurnMs !== null && !watched && sinceMs < settings.unwatchedTurnMs) return;
    this.#lastTurnMs = nowMs;
    const tempo = watched ? this.#watchedTempo(nowMs) : settings.unwatchedTempo;
    const passedMs = Math.max(0, Math.min(LONGEST_TURN_MS, sinceMs));
    this.#pass(passedMs, watched ? 1 : settings.unwatchedTempo, tempo);

    // Trades since the last turn are valued before the values move on, at the values of their time.
    await this.#readMakers(nowMs);
    const markets = await this.#readMarkets(nowMs);
    // While quotes cannot follow, the values do not move.
    if (this.journal.allowsQuotes) this.#hidden.advance(passedMs * tempo);
    const isNew = this.#isNew && nowMs - this.#startedAtMs < NEW_MS;
    await this.#rounds.turn(markets, { isNew, isWatched: watched }, (id) => this.#hidden.of(id)?.value);
    await this.#publishNews(markets);
    await this.#quote(markets);
    await this.#trade(markets);
  }

  #watchedTempo(nowMs: number): number {
    const { openingMs, openingTempo } = this.#parts.settings;
    return this.#isNew && nowMs - this.#startedAtMs < openingMs ? openingTempo : 1;
  }

  #pass(ms: number, pace: number, tempo: number): void {
    const { quoteChangesPerMinute, tradesPerMinute } = this.#parts.settings;
    const minutes = (ms * tempo) / MINUTE_MS;
    this.#newsInMs -= ms * pace;
    this.#tradesDue = Math.min(MOST_AT_ONCE, this.#tradesDue + minutes * tradesPerMinute);
    this.#changesDue = Math.min(MOST_AT_ONCE, this.#changesDue + minutes * quoteChangesPerMinute);
  }

  async #readMakers(nowMs: number): Promise<void> {
    const fills: FillBody[] = [];
    for (const { book } of this.#makers) fills.push(...(await book.read()));
    this.journal.count('fill', fills.length);
    const lost = fills.reduce((sum, fill) => sum + this.#lossUnits(fill, unitsOf(fill.price)), 0);
    this.#given.makersLost(lost, nowMs);
  }

  /** The fill's loss against the hidden value; below 0 for a gain. */
  #lossUnits(
    { marketId, outcome, quantity, side }: Pick<FillBody, 'marketId' | 'outcome' | 'quantity' | 'side'>,
    priceUnits: number,
  ): number {
    const value = this.#hidden.of(marketId)?.value;
    return value === undefined ? 0 : -edgeUnits({ outcome, side, priceUnits }, value * 10_000) * quantity;
  }

  async #readMarkets(nowMs: number): Promise<readonly MarketBody[]> {
    const { markets: demo, reader } = this.#parts;
    const active = await readPages((cursor) =>
      reader.request('listMarkets', { query: { status: 'active', limit: 500, cursor } }),
    );
    const isFirst = this.#citedReadMs === null;
    const newest = await this.#readSignals(nowMs);
    const priors = new Map(demo.map(({ id, prior }) => [id, prior]));
    const markets = active.filter(({ id }) => priors.has(id) || isRound(id));
    for (const { id, probability } of markets) {
      const mean = priors.get(id) ?? probability;
      const liveliness = isRound(id) ? ROUND_LIVELINESS : 1;
      this.#hidden.add(id, { liveliness, mean, start: newest.get(id)?.fairProb ?? mean });
      const cited = newest.get(id);
      const before = this.#cited.get(id);
      if (isFirst || cited === undefined || cited.seq === before?.seq || cited.source === DEMO_SOURCE) continue;
      this.#hidden.accept(id, cited.fairProb);
    }
    const known = new Set(markets.map(({ id }) => id).concat(this.#rounds.open.map(({ marketId }) => marketId)));
    this.#hidden.keep(known);
    this.#cited = new Map([...newest].filter(([id]) => known.has(id)));
    this.#history.add(markets, nowMs);
    this.#others = new Map(
      markets.map(({ bestYesAsk, bestYesBid, id }) => {
        const bidUnits = this.#othersUnits(id, bestYesBid, true);
        return [id, { bidUnits, askUnits: this.#othersUnits(id, bestYesAsk, false) }];
      }),
    );
    return markets;
  }

  /** Returns the newest fair values. Signals of operators are read rarely, unless the demo has new ones of its own. */
  async #readSignals(nowMs: number): Promise<ReadonlyMap<string, CitedValue>> {
    const isFirst = this.#citedReadMs === null;
    if (nowMs - (this.#citedReadMs ?? -Infinity) < READ_SIGNALS_MS) return this.#cited;
    const limit = isFirst ? 500 : 20;
    const answer = await this.#parts.reader.request('listRecentSignals', { query: { limit } });
    assertNotDelayed(answer);
    const newest = newestFairValues(answer.body.signals);
    if (isFirst) this.#isNew = ![...newest.values()].some(({ source }) => source === DEMO_SOURCE);
    this.#citedReadMs = nowMs;
    return new Map([...this.#cited, ...newest]);
  }

  /** Lets an event happen. The makers widen their quotes, then the report on the event is published. */
  async #publishNews(markets: readonly MarketBody[]): Promise<void> {
    const { baseUrl, chance, markets: demo, now, operator, settings } = this.#parts;
    if (this.#newsInMs > 0 || !this.journal.allowsTrades) return;
    this.#newsInMs = settings.newsEveryMs * between(chance, 0.75, 1.25);
    const active = new Set(markets.map(({ id }) => id));
    const rounds = markets.filter(({ id }) => isRound(id)).map(({ id }) => roundMarket(id));
    const citedAt = new Map([...this.#cited].map(([id, { publishedAtMs }]) => [id, publishedAtMs]));
    const news = nextNews([...demo.filter(({ id }) => active.has(id)), ...rounds], citedAt, chance);
    if (news === null) return;
    const { id } = news.market;
    this.#hidden.strike(news.moves, id);
    await this.#quote(markets);
    const value = this.#hidden.of(id)?.value ?? 0.5;
    const body = signalOf(news, value, { baseUrl, chance, nowMs: now() });
    this.journal.count('signal');
    const answer = await operator.request('recordSignal', { body });
    assertNotDelayed(answer);
    // A refusal means that another operator has resolved the market meanwhile.
    if (answer.status === 200) this.#hidden.report(id, body.fairProb);
  }

  async #quote(markets: readonly MarketBody[]): Promise<void> {
    const { now, settings } = this.#parts;
    const giveUnits = this.#given.mayGive(now()) ? settings.giveUnits : -settings.giveUnits / 2;
    const wanted = this.#makers.flatMap(({ book, rules }) =>
      markets.flatMap((market) => {
        const view = this.#viewOf(market, giveUnits);
        if (view === null) return [];
        const { marketId } = view;
        const size = Math.round(rules.size * (0.5 + fractionOf(`depth of ${marketId}`)));
        return quoteChanges(view, book.standing(marketId), book.held(marketId), { ...rules, size }).map((change) => ({
          ...change,
          book,
        }));
      }),
    );
    const chosen = this.journal.allowsQuotes
      ? mostUrgent(wanted, Math.floor(this.#changesDue))
      : // Nothing is placed, so at most what rests is cancelled beyond the budget.
        cancelsOnly(mostUrgent(wanted, 0));
    for (const { book } of this.#makers) {
      const own = chosen.filter((change) => change.book === book);
      if (own.length > 0) await book.change(own, (use, times) => this.journal.count(use, times));
    }
    this.#changesDue -= chosen.filter(({ urgency }) => urgency !== Infinity).length;
  }

  #viewOf({ id, tickSize }: MarketBody, giveUnits: number): MakerView | null {
    const hidden = this.#hidden.of(id);
    if (hidden === undefined) return null;
    const calm = HALF_SPREADS_UNITS[Math.floor(fractionOf(`spread of ${id}`) * HALF_SPREADS_UNITS.length)] ?? 150;
    return {
      marketId: id,
      tickUnits: Math.round(tickSize * 10_000),
      viewUnits: hidden.view * 10_000,
      valueUnits: hidden.value * 10_000,
      halfSpreadUnits: halfSpreadUnits(calm, hidden),
      giveUnits,
      stillMs: this.#history.stillMs(id, this.#parts.now()),
      othersBidUnits: this.#others.get(id)?.bidUnits ?? null,
      othersAskUnits: this.#others.get(id)?.askUnits ?? null,
    };
  }

  /** The best price of a side as just read; null if the side is empty, or a maker's own quote rests there. */
  #othersUnits(marketId: string, best: number | null, bids: boolean): number | null {
    if (best === null) return null;
    const units = unitsOf(best);
    const isOwn = this.#makers.some(({ book }) =>
      book.standing(marketId).some((order) => isBid(order) === bids && yesPrice(order) === units),
    );
    return isOwn ? null : units;
  }

  async #trade(markets: readonly MarketBody[]): Promise<void> {
    const { chance, traders } = this.#parts;
    for (; this.#tradesDue >= 1; this.#tradesDue -= 1) {
      const nowMs = this.#parts.now();
      if (!this.journal.allowsTrades || !this.#given.mayGive(nowMs)) return;
      const account = pickOne(chance, traders);
      if (account !== undefined) await this.#tradeOne(account, markets, nowMs);
    }
  }

  async #tradeOne({ client, name, trader }: TraderAccount, markets: readonly MarketBody[], nowMs: number) {
    const { chance, traders } = this.#parts;
    const answer = await client.request('getPortfolio', {});
    assertNotDelayed(answer);
    const { positions, summary } = answer.body;
    const view = {
      name,
      markets: markets.flatMap((market) => this.#pictureOf(market, nowMs)),
      held: holdings({ positions }),
      wealth: Math.max(LEAST_WEALTH, Math.min(1, summary.portfolioValue / summary.startingBalance)),
      nowMs,
    };
    const order = trader(view, chance);
    if (order !== null) {
      await this.#send(client, order);
    } else if (trader !== noise) {
      // This trader has no reason to trade, so a noise trader trades instead.
      const others = traders.filter((one) => one.trader === noise);
      const other = pickOne(chance, others);
      if (other !== undefined) await this.#tradeOne(other, markets, nowMs);
    }
  }

  #pictureOf({ bestYesAsk, bestYesBid, id, probability, tickSize, volume }: MarketBody, nowMs: number) {
    const hidden = this.#hidden.of(id);
    if (hidden === undefined) return [];
    return [
      {
        marketId: id,
        tickUnits: Math.round(tickSize * 10_000),
        bidUnits: bestYesBid === null ? null : unitsOf(bestYesBid),
        askUnits: bestYesAsk === null ? null : unitsOf(bestYesAsk),
        probability,
        move: this.#history.move(id),
        stillMs: this.#history.stillMs(id, nowMs),
        saneUnits: hidden.view * 10_000,
        volume,
        cited: this.#cited.get(id) ?? null,
      },
    ];
  }

  async #send(client: TraderAccount['client'], order: TraderOrder): Promise<void> {
    const { marketId, outcome, priceUnits, quantity, side } = order;
    this.journal.count('order');
    const answer = await client.request('placeOrder', {
      body: { marketId, outcome, side, orderType: 'market', timeInForce: 'IOC', price: priceUnits / 10_000, quantity },
    });
    assertNotDelayed(answer);
    // A refusal means that the market stopped, or the balance is too small.
    if (answer.status !== 200) return;
    const { filledQty, price, status } = answer.body;
    if (status === 'cancelled') this.journal.count('cancel');
    if (filledQty > 0) this.#given.traderLost(this.#lossUnits({ ...order, quantity: filledQty }, unitsOf(price)));
  }
}
