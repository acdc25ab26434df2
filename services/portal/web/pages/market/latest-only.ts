/**
 * Runs one request at a time. A newer request aborts the running one, whose answer is then discarded. So a slow answer
 * cannot overwrite a newer one.
 */
export class LatestOnly {
  #current: AbortController | null = null;

  /**
   * Aborts the previous request and runs `request`.
   * @returns its result; null if a newer request or `abort` came first, even if it failed after that
   * @throws the errors of `request`, while it is the newest
   */
  async run<T>(request: (signal: AbortSignal) => Promise<T>): Promise<{ readonly value: T } | null> {
    this.abort();
    const controller = new AbortController();
    this.#current = controller;
    try {
      const value = await request(controller.signal);
      return controller.signal.aborted ? null : { value };
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    } finally {
      if (this.#current === controller) this.#current = null;
    }
  }

  /** Aborts the running request, if there is one. */
  abort(): void {
    this.#current?.abort();
    this.#current = null;
  }
}
