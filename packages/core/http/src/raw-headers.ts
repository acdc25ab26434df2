/**
 * Counts how often a request gives a header. Node's `headers` joins repeated headers or drops them, and
 * `headersDistinct` makes a list for every header of the request.
 * @param rawHeaders names and values, one after the other, as they were sent
 * @param name in lower case
 */
export function timesGiven(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times;
}
