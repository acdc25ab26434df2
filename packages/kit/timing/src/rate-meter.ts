/** The age up to which samples count, since older ones say little about the present rate. */
const WINDOW_MS = 10_000;

/** Measures how fast a count grows, over the last ten seconds. */
export class RateMeter {
  readonly #samples: { readonly ms: number; readonly count: number }[] = [];

  add(ms: number, count: number): void {
    this.#samples.push({ ms, count });
    // One older sample stays, so that a slow count also has a rate.
    while ((this.#samples[1]?.ms ?? Infinity) <= ms - WINDOW_MS) this.#samples.shift();
  }

  get perSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.ms === first.ms) return 0;
    return (1000 * (last.count - first.count)) / (last.ms - first.ms);
  }

  /** The time until the count reaches `target` at this rate; null while the count does not grow. */
  msTo(target: number): number | null {
    const left = target - (this.#samples.at(-1)?.count ?? 0);
    if (left <= 0) return 0;
    return this.perSecond > 0 ? (1000 * left) / this.perSecond : null;
  }
}

/** Formats a duration as `1 h 05 min`, `3 min 20 s` or `12 s`; `?` while unknown. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '?';
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, '0')} min`;
  return minutes > 0 ? `${minutes} min ${String(seconds % 60).padStart(2, '0')} s` : `${seconds} s`;
}
