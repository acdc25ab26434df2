import type { MarketBody } from '@paper/contracts/markets';
import { ApiRefusal, readPages } from 'paper-trading-client';
import type { Requests } from 'paper-trading-client';
import { assertNotDelayed } from '../api-answers.ts';
import type { Chance } from './chance.ts';
import type { JournalBudget } from './journal-budget.ts';
import { isRound, missingRounds, resolutionOf } from './rounds.ts';
import type { Round, RoundsPace } from './rounds.ts';

/** The operator's calls for the short markets, and the read that finds the closed ones. */
export type RoundsClient = Requests<'createMarket' | 'listMarketsByPhase' | 'resolveMarket'>;

interface RoundKeeperParts {
  readonly baseUrl: string;
  readonly operator: RoundsClient;
  readonly journal: JournalBudget;
  readonly chance: Chance;
  readonly now: () => number;
}

/** The service closes markets by itself, possibly a moment after their time. */
const CLOSES_WITHIN_MS = 1_000;

/** Lists the demo's short markets, and resolves the closed ones. It keeps no state that a restart would miss. */
export class RoundKeeper {
  readonly #open = new Map<string, Round>();
  #isRead = false;

  constructor(private readonly parts: RoundKeeperParts) {}

  get open(): readonly Round[] {
    return [...this.#open.values()];
  }

  /** Lists and resolves markets, YES with their hidden values as probabilities. Throws ApiRefusal, RetryLater. */
  async turn(active: readonly MarketBody[], pace: RoundsPace, valueOf: (marketId: string) => number | undefined) {
    const { now } = this.parts;
    if (!this.#isRead) await this.#readClosed();
    for (const market of active.filter(({ id }) => isRound(id))) this.#add(market);
    for (const { closesAtMs, marketId } of this.open) {
      if (now() < closesAtMs + CLOSES_WITHIN_MS) continue;
      await this.#resolve(marketId, valueOf(marketId) ?? 0.5);
      this.#open.delete(marketId);
    }
    await this.#listMissing(pace);
  }

  async #readClosed(): Promise<void> {
    const { operator } = this.parts;
    const closed = await readPages((cursor) =>
      operator.request('listMarketsByPhase', { query: { phase: 'closed', limit: 500, cursor } }),
    );
    for (const market of closed.filter(({ id }) => isRound(id))) this.#add(market);
    this.#isRead = true;
  }

  #add({ closesAt, id }: Pick<MarketBody, 'closesAt' | 'id'>): void {
    this.#open.set(id, { marketId: id, closesAtMs: Date.parse(closesAt) });
  }

  async #resolve(marketId: string, value: number): Promise<void> {
    const { journal, operator } = this.parts;
    journal.count('resolution');
    const answer = await operator.request('resolveMarket', {
      params: { id: marketId },
      body: resolutionOf(marketId, value, this.parts),
    });
    assertNotDelayed(answer);
    // The market has another outcome: another operator resolved it, or a kill before lost the answer.
    if (answer.status !== 200) this.#assertRefusedAs('market_already_resolved', () => answer.assertOk());
  }

  async #listMissing(pace: RoundsPace): Promise<void> {
    const { chance, journal, now, operator } = this.parts;
    if (!journal.allowsTrades) return;
    for (const listing of missingRounds(this.open, pace, now(), chance)) {
      journal.count('listing');
      const answer = await operator.request('createMarket', { body: listing });
      assertNotDelayed(answer);
      // The market exists with another prior: it was listed before a kill that lost the answer.
      if (answer.status !== 200) this.#assertRefusedAs('idempotency_conflict', () => answer.assertOk());
      this.#add(listing);
    }
  }

  #assertRefusedAs(code: string, assertOk: () => void): void {
    try {
      assertOk();
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.code !== code) throw error;
    }
  }
}
