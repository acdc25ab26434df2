/**
 * Decides when a following projector begins its next transaction: at once if a read waits or the last one began long
 * enough ago. Otherwise it gathers events first, so that each order of a busy client costs less.
 */
export class Gathering {
  #begunMs = -Infinity;
  #wantedSeq = 0;
  #onDue: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param intervalMs the time between the beginnings of two transactions, unless a read waits. */
  constructor(private readonly intervalMs: number) {}

  /** Ends the gathering, because a read waits for this sequence; default: for the newest gathered event. */
  hurry(seq?: number): void {
    if (seq !== undefined) this.#wantedSeq = Math.max(this.#wantedSeq, seq);
    if (this.#onDue === null) return;
    if (seq === undefined) this.#begunMs = -Infinity;
    this.#end();
  }

  /** Whether a transaction from `firstSeq` on should begin. If not, `onDue` is called when to ask again. */
  isDue(firstSeq: number, onDue: () => void): boolean {
    const leftMs = this.#begunMs + this.intervalMs - performance.now();
    if (leftMs <= 0 || this.#wantedSeq >= firstSeq) return true;
    this.#onDue = onDue;
    this.#timer ??= setTimeout(() => this.#end(), leftMs);
    return false;
  }

  begin(): void {
    this.#begunMs = performance.now();
    this.stop();
  }

  /** Makes no further calls until `isDue` is called again. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#onDue = null;
  }

  #end(): void {
    const onDue = this.#onDue;
    this.stop();
    onDue?.();
  }
}
