/** Runs one request at a time: a newer one aborts the running one, so that no late answer replaces a newer answer. */
export class LatestOnly {
  #current: AbortController | null = null;

  /** Returns null if a newer request or `abort` came before the answer. */
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

  abort(): void {
    this.#current?.abort();
    this.#current = null;
  }
}
