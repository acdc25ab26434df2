/** Counts how often a request gives this header (in lower case): Node's `headers` joins or drops repeated ones. */
export function timesGiven(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times;
}
