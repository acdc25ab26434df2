import { iso, probability } from '@paper/contracts/units';

const POINTS_MAX = 5_000;

interface Point {
  readonly atMs: number;
  readonly seq: number;
  readonly halfUnits: number;
}

/** The value of an account after each moment that changed it, with at most twice as many points as the report. */
export class EquityCurve {
  #points: Point[] = [];
  #stride = 1;
  #changes = 0;
  #last: Point | null = null;
  #peak: Point | null = null;
  #fall: { readonly from: Point; readonly to: Point } | null = null;

  get halfUnits(): number | null {
    return this.#last?.halfUnits ?? null;
  }

  add(point: Point): void {
    if (point.halfUnits === this.#last?.halfUnits) return;
    this.#last = point;
    if (this.#peak === null || point.halfUnits > this.#peak.halfUnits) this.#peak = point;
    const from = this.#peak;
    const fallen = this.#fall === null ? 0 : this.#fall.from.halfUnits - this.#fall.to.halfUnits;
    if (from.halfUnits - point.halfUnits > fallen) this.#fall = { from, to: point };
    if (this.#changes % this.#stride === 0) this.#points.push(point);
    this.#changes += 1;
    if (this.#points.length < 2 * POINTS_MAX) return;
    this.#points = this.#points.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }

  maxDrawdown() {
    if (this.#fall === null) return { amount: 0, fromSeq: null, toSeq: null };
    const { from, to } = this.#fall;
    return { amount: probability(from.halfUnits - to.halfUnits), fromSeq: from.seq, toSeq: to.seq };
  }

  points() {
    const last = this.#last;
    const all = last === null || this.#points.at(-1) === last ? this.#points : [...this.#points, last];
    const step = (all.length - 1) / (POINTS_MAX - 1);
    const shown =
      all.length <= POINTS_MAX
        ? all
        : Array.from({ length: POINTS_MAX }, (_, index) => all[Math.round(index * step)] ?? []).flat();
    return shown.map(({ atMs, halfUnits, seq }) => ({ at: iso(atMs), seq, equity: probability(halfUnits) }));
  }
}
