import { listMarketFields, recordSignalFields } from '@paper/command-api';
import { parseInstant } from '@paper/contracts/units';
import type { OutcomeEvent, NewsEvent, TapeEvent, TapeSummary } from '@paper/tapes';
import type { PlayedExchange } from '../playing.ts';
import { BY_OPERATOR, House, requireAccepted } from './house.ts';
import { MirroredMarket } from './mirror.ts';

/** Plays a tape: its book and trades by two accounts, its markets, outcomes and news as an operator does. */
export class TapePlayer {
  readonly #markets = new Map<string, MirroredMarket>();
  #houses: readonly House[] = [];
  #skipped: (NewsEvent | OutcomeEvent)[] | null = [];

  constructor(
    private readonly exchange: PlayedExchange,
    private readonly tape: TapeSummary,
  ) {}

  /** Opens the two accounts that play the tape, and lists its markets. The clock must be at the first moment. */
  async start(): Promise<{ readonly mirror: string; readonly flow: string }> {
    const mirror = await House.open(this.exchange, 'mirror');
    const flow = await House.open(this.exchange, 'flow');
    this.#houses = [mirror, flow];
    for (const market of this.tape.markets) {
      await this.#list(market);
      this.#markets.set(market.id, new MirroredMarket(market.id, this.exchange, mirror, flow));
    }
    return { mirror: mirror.accountId, flow: flow.accountId };
  }

  /** The shares of the tape that were not played, since the accounts that play it lacked the money. */
  get unfunded(): number {
    return this.#houses.reduce((sum, house) => sum + house.unfunded, 0);
  }

  /** Folds an event before the first moment without sending a command. Call it in order, after `start`. */
  skip(event: TapeEvent): void {
    if (event.kind === 'news' || event.kind === 'outcome') this.#skipped?.push(event);
    else this.#markets.get(event.market)?.skip(event);
  }

  /** Plays the tape's events of the clock's millisecond, if there are any; at first also the skipped book. */
  async playMoment(events: readonly TapeEvent[]): Promise<void> {
    if (this.#skipped !== null) {
      const skipped = this.#skipped;
      this.#skipped = null;
      for (const market of this.#markets.values()) await market.show();
      for (const event of skipped) await this.#play(event);
    }
    for (const event of events) await this.#play(event);
  }

  async #play(event: TapeEvent): Promise<void> {
    if (event.kind === 'outcome') await this.#settle(event);
    else if (event.kind === 'news') await this.#publish(event);
    else await this.#markets.get(event.market)?.play(event);
  }

  /** A market that closed before the first moment is listed, and takes no orders. */
  async #list({ closesAt, id, prior, tickSize, title }: TapeSummary['markets'][number]): Promise<void> {
    const listing = listMarketFields({
      category: 'Tape',
      closesAt,
      companyImpact: 0,
      companySlug: 'tape',
      drivers: [],
      id,
      prior,
      sector: 'Tape',
      settlementSource: 'The tape',
      status: parseInstant(closesAt) > this.exchange.now() ? 'active' : 'closed',
      tickSize,
      ticker: id.slice(0, 20),
      title,
    });
    const decision = await this.exchange.submit(BY_OPERATOR, listing);
    requireAccepted(decision);
  }

  async #settle({ market, outcome, priceUnits }: OutcomeEvent): Promise<void> {
    if (!this.#markets.has(market)) return;
    const decision = await this.exchange.submit(
      BY_OPERATOR,
      outcome === 'void'
        ? { type: 'VoidMarket', marketId: market, priceUnits, reason: 'The tape says so.' }
        : { type: 'ResolveMarket', citationUrl: null, headline: null, marketId: market, outcome, source: null },
    );
    if (decision.kind !== 'unchanged') requireAccepted(decision);
  }

  /** The backtest leaves out news about a market that is not on the tape, or that has ended. */
  async #publish({ signal }: NewsEvent): Promise<void> {
    await this.exchange.submit(BY_OPERATOR, recordSignalFields(signal));
  }
}
