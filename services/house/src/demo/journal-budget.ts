import { Budget } from '../budget.ts';

/** The bytes of the journal, with indexes, that each action of the demo takes; measured by `npm run bench -- demo`. */
export const JOURNAL_BYTES = {
  order: 1_850,
  move: 1_600,
  cancel: 1_150,
  fill: 1_100,
  signal: 2_000,
  listing: 2_300,
  /** The close, with the cancels of resting orders, and the resolution, with the payout of each holder. */
  resolution: 12_000,
} as const;

export type JournalUse = keyof typeof JOURNAL_BYTES;

/** The most that the demo writes in a day, in bytes; `JournalBudget` stays below it. */
export const JOURNAL_BYTES_A_DAY = 150_000_000;

/** An hour's budget. It can be spent at once, and refills within an hour: 25 of them are less than a day's limit. */
const AN_HOUR = 5_500_000;

/** Counts the bytes that the demo writes into the journal, and stops it before they exceed `JOURNAL_BYTES_A_DAY`. */
export class JournalBudget {
  readonly #budget = new Budget(AN_HOUR);
  readonly #counts = new Map<JournalUse, number>();

  constructor(private readonly now: () => number) {}

  /** Whether makers may send more; they may spend the whole budget. */
  get allowsQuotes(): boolean {
    return this.#budget.leftUnits(this.now()) > 0;
  }

  /** Whether traders, news and listings may send more: a quarter is reserved for quotes. */
  get allowsTrades(): boolean {
    return this.#budget.leftUnits(this.now()) > AN_HOUR / 4;
  }

  count(use: JournalUse, times = 1): void {
    this.#counts.set(use, (this.#counts.get(use) ?? 0) + times);
    this.#budget.spend(times * JOURNAL_BYTES[use], this.now());
  }

  get counts(): ReadonlyMap<JournalUse, number> {
    return this.#counts;
  }
}
