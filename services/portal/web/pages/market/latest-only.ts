/** Runs one request at a time: a newer one aborts the running one, so no slow answer overwrites a newer one. */
export class LatestOnly {
  #current: AbortController | null = null;

  /** Null if a newer request or `abort` came first, even if this one failed after that. */
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
