/** The part of `navigator.locks` that an election needs. */
export interface Locks {
  request(name: string, options: { readonly signal: AbortSignal }, hold: () => Promise<void>): Promise<unknown>;
}

/**
 * Elects one tab of this browser to hold the connections: the one that has the Web Lock. Its successor gets the lock
 * when the tab withdraws, is closed or crashes. Without locks (a page over plain HTTP from another machine has none)
 * each tab is elected, and serves itself alone.
 */
export class TabElection {
  #withdrawing: AbortController | null = null;

  /**
   * @param locks null where the browser offers none
   * @param lead called when the tab is elected; its result when it withdraws
   */
  constructor(
    private readonly locks: Locks | null,
    private readonly name: string,
    private readonly lead: () => () => void,
  ) {}

  /** Stands for election, until `withdraw`. */
  stand(): void {
    if (this.#withdrawing !== null) return;
    const withdrawing = new AbortController();
    this.#withdrawing = withdrawing;
    const { signal } = withdrawing;
    const hold = async (): Promise<void> => {
      if (signal.aborted) return;
      const stop = this.lead();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      stop();
    };
    if (this.locks === null) void hold();
    // The request rejects when it is aborted before the lock is held.
    else this.locks.request(this.name, { signal }, hold).catch(() => undefined);
  }

  /** Gives the lock back, or its place in the queue. */
  withdraw(): void {
    this.#withdrawing?.abort();
    this.#withdrawing = null;
  }
}
