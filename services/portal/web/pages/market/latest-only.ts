/**
 * Runs one request at a time: a newer one aborts the one under way, whose answer is never shown. So a slow answer cannot
 * overwrite a newer one.
 */
export class LatestOnly {
  #current: AbortController | null = null;

  /**
   * Runs `request` after aborting the one before it.
   *
   * @returns its result, or null where a newer request or `abort` overtook it; also where it failed after that
   * @throws whatever `request` throws while it is the newest
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

  /** Aborts the request under way, if there is one. */
  abort(): void {
    this.#current?.abort();
    this.#current = null;
  }
}
