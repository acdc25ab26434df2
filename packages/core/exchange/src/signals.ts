/** Joins a signal's two names; the length keeps ("a", "bc") and ("ab", "c") apart. */
export function signalKey(source: string, externalId: string): string {
  return `${source.length}:${source}${externalId}`;
}
