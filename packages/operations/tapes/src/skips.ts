import type { TapeBody } from '@paper/contracts/backtests';

/** Why a part of a tape is skipped, in words for people. */
export const SKIP_REASONS = {
  no_message: 'no message of the format',
  too_long: 'longer than 8 MiB',
  no_time: 'no time that can be read',
  market: 'no id that a market can have',
  price: 'a price below 0.01, above 0.99 or finer than 0.0001',
  off_tick: "a price that is not on the market's tick",
  size: 'a size that is no number, is not positive, or is finer than 0.000001',
  below_zero: 'a level below zero',
  crossed: 'a level that crosses the other side, kept back until it does not',
  after_settlement: 'after the market was settled',
  cut: 'the file was cut off here',
  news: 'no signal as import-signals takes it, or one given before',
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;

export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Parts that were skipped for one reason, and the place of the first. */
export type Skip = TapeBody['skipped'][number] & { readonly reason: SkipReason };

export class Skips {
  readonly #byReason = new Map<SkipReason, { count: number; readonly first: Place }>();

  add(reason: SkipReason, place: Place): void {
    const known = this.#byReason.get(reason);
    if (known === undefined) this.#byReason.set(reason, { count: 1, first: place });
    else known.count += 1;
  }

  /** The most frequent first. */
  list(): Skip[] {
    return [...this.#byReason]
      .map(([reason, { count, first }]) => ({ reason, count, firstFile: first.file, firstLine: first.line }))
      .sort((a, b) => b.count - a.count || a.firstLine - b.firstLine);
  }
}

/** A skip as text: `3 × a level below zero (first: book.ndjson, line 12)`. */
export const skipText = ({ count, firstFile, firstLine, reason }: Skip): string =>
  `${count} × ${SKIP_REASONS[reason]} (first: ${firstFile}, line ${firstLine})`;

/** The message names the reason in one sentence. */
export class TapeRefused extends Error {
  override readonly name = 'TapeRefused';
}
