import { Unchecked } from '@paper/client-files/verify-journal';

export type JournalAccess = Readonly<{ origin: string; pause: (ms: number) => Promise<void> }>;

export function ownJournal(origin: string): JournalAccess {
  return { origin, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
}

export interface JournalPage {
  readonly lines: readonly string[];
  readonly hasMore: boolean;
  /** X-Journal-Seq; for an empty page, the journal's newest sequence. */
  readonly seq: number;
}

const TRIES = 10;
/** A sequence beyond the end of any journal: its page is empty. */
const BEYOND = 999_999_999_999_999;

/** Reads a page of the journal from an event on. Throws Unchecked after ten attempts, or if the service refuses. */
export async function fetchJournalPage(access: JournalAccess, from: number, limit?: number): Promise<JournalPage> {
  const query = new URLSearchParams({ from: String(from), ...(limit === undefined ? {} : { limit: String(limit) }) });
  const url = `${access.origin}/api/journal?${query.toString()}`;
  let problem = '';
  for (let left = TRIES; left > 0; left -= 1) {
    const answer = await tryPage(url);
    if (!('problem' in answer)) return answer;
    problem = answer.problem;
    await access.pause(answer.pauseMs);
  }
  throw new Unchecked(`the journal cannot be read: ${problem}`);
}

export async function newestSequence(access: JournalAccess): Promise<number> {
  return (await fetchJournalPage(access, BEYOND, 1)).seq;
}

async function tryPage(url: string): Promise<JournalPage | { readonly problem: string; readonly pauseMs: number }> {
  try {
    // Pages are immutable and cached, but the check must read the service's present data.
    const response = await fetch(url, { cache: 'no-cache' });
    const text = await response.text();
    const pauseMs = 1_000 * Number(response.headers.get('retry-after') ?? 1);
    if (response.status === 429 || response.status === 503) return { problem: text.slice(0, 200), pauseMs };
    if (response.status !== 200) throw new Unchecked(`the journal answers ${response.status}: ${text.slice(0, 200)}`);
    const lines = text.split('\n');
    if (lines.pop() !== '') return { problem: 'a page ended within a line', pauseMs };
    const hasMore = /;\s*rel="?next"?/.test(response.headers.get('link') ?? '');
    return { lines, hasMore, seq: Number(response.headers.get('x-journal-seq')) };
  } catch (error) {
    if (error instanceof Unchecked) throw error;
    return { problem: String(error), pauseMs: 1_000 };
  }
}
