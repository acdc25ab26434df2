/**
 * Decides when a projector that follows the journal begins its next transaction: at once if the last one began long
 * enough ago, or if a read waits; else it gathers events first. So the orders of a busy client are projected a few at a
 * time, and each of them costs less.
 */
export class Gathering {
  #begunMs = -Infinity;
  #wantedSeq = 0;
  #onDue: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param intervalMs the time between the beginnings of two transactions, unless a read waits. */
  constructor(private readonly intervalMs: number) {}

  /**
   * Ends the gathering, because a read waits.
   * @param seq the sequence that the read waits for, which the projector may not have seen yet; default: the newest
   * gathered one
   */
  hurry(seq?: number): void {
    if (seq !== undefined) this.#wantedSeq = Math.max(this.#wantedSeq, seq);
    if (this.#onDue === null) return;
    if (seq === undefined) this.#begunMs = -Infinity;
    this.#end();
  }

  /**
   * Whether a transaction that starts at sequence `firstSeq` should begin. If not, `onDue` is called once, when it is
   * worth asking again.
   */
  isDue(firstSeq: number, onDue: () => void): boolean {
    const leftMs = this.#begunMs + this.intervalMs - performance.now();
    if (leftMs <= 0 || this.#wantedSeq >= firstSeq) return true;
    this.#onDue = onDue;
    this.#timer ??= setTimeout(() => this.#end(), leftMs);
    return false;
  }

  /** Records that a transaction begins. */
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
