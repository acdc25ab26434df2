import { setTimeout } from 'node:timers/promises';
import { nextPagePath } from 'paper-trading-client';
import type { PageReads, ReadAnswer } from './read-answer.ts';

export interface FirstReads {
  /** The answers by path, without those that did not come in time or have another status than 200 and 404. */
  read(paths: readonly string[]): Promise<PageReads>;
}

/** How long an answer serves further requests. */
const FRESH_MS = 1_000;
/** How long a page waits for its data; a later answer serves the next request. */
const WAIT_MS = 1_000;
const HELD_MAX = 100;

/**
 * Reads each path once for concurrent requests, so that page views do not multiply the API's load. The script of a page
 * reads again what was not there in time.
 *
 * @param apiUrl returns the API's base URL, without a slash at the end; null while it is unknown
 */
export function createFirstReads(apiUrl: () => string | null): FirstReads {
  const held = new Map<string, { readonly answer: Promise<ReadAnswer | null>; readonly untilMs: number }>();

  const answerOf = (path: string): Promise<ReadAnswer | null> => {
    const known = held.get(path);
    if (known !== undefined && known.untilMs > Date.now()) return known.answer;
    const answer = readAnswer(apiUrl(), path);
    held.delete(path);
    held.set(path, { answer, untilMs: Date.now() + FRESH_MS });
    const [oldest] = held.keys();
    if (held.size > HELD_MAX && oldest !== undefined) held.delete(oldest);
    return answer;
  };

  return {
    async read(paths) {
      const late = setTimeout(WAIT_MS, null, { ref: false });
      const answers = await Promise.all(
        paths.map(async (path) => [path, await Promise.race([answerOf(path), late])] as const),
      );
      return Object.fromEntries(answers.flatMap(([path, answer]) => (answer === null ? [] : [[path, answer]])));
    },
  };
}

/** The answer if its status is 200 or 404; null otherwise. */
async function readAnswer(apiUrl: string | null, path: string): Promise<ReadAnswer | null> {
  if (apiUrl === null) return null;
  try {
    const response = await fetch(`${apiUrl}${path}`, { signal: AbortSignal.timeout(5_000) });
    if (!response.ok && response.status !== 404) return null;
    const body: unknown = await response.json();
    const answer = { seq: Number(response.headers.get('x-journal-seq')), next: nextPagePath(response) };
    if (response.ok) return { ...answer, body };
    return { ...answer, body: null, missing: body as ReadAnswer['missing'] & object };
  } catch {
    return null;
  }
}
