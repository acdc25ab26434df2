const WAIT_MS = 1_000;

/** Runs work once the page has nothing else to do, or after a second. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks, although the types say that it has.
  const request = window.requestIdleCallback as typeof window.requestIdleCallback | undefined;
  if (request === undefined) {
    const timer = window.setTimeout(work, 1);
    return () => clearTimeout(timer);
  }
  const id = request(work, { timeout: WAIT_MS });
  return () => window.cancelIdleCallback(id);
}
