import { createHash } from 'node:crypto';
import { JOURNAL_PAGE } from '@paper/contracts/journal';
import type { JournalLineBody } from '@paper/contracts/journal';
import { withhold } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';

export type ReadableJournal = Pick<Journal, 'head' | 'read'>;

export interface PageRequest {
  readonly from: number;
  readonly limit: number;
}

export interface PageBytes {
  /** The page's lines in UTF-8. The view covers its whole buffer, so that a thread can transfer it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** The sequence of the page's last event; for an empty page, the journal's head. */
  readonly seq: number;
  /** The sequence after its last event, if the limit ended the page: such a page never changes. Else null. */
  readonly next: number | null;
}

export interface PageSource {
  /** Rejects with the signal's reason once it aborts, or with the journal's error. */
  page(request: PageRequest, signal: AbortSignal): Promise<PageBytes>;
  stop(): Promise<void>;
}

/** The number of events read at a time: a millisecond of a core, so that orders never wait long for it. */
const CHUNK = 50;

/** Makes a page, in tens of ms for 1,000 events. `rest` is called between chunks with the ms of the last. */
export async function makePage(
  journal: ReadableJournal,
  { from, limit }: PageRequest,
  signal: AbortSignal,
  rest?: (workedMs: number) => Promise<unknown>,
): Promise<PageBytes> {
  const parts: Buffer[] = [];
  let next = from;
  let textBytes = 0;
  let isFull = false;
  let isEnd = false;
  while (!isFull && !isEnd) {
    signal.throwIfAborted();
    const begunMs = performance.now();
    const chunkLimit = Math.min(CHUNK, limit - (next - from));
    const chunk = await journal.read(next, chunkLimit);
    isEnd = chunk.length < chunkLimit;
    let lines = '';
    for (const event of chunk) {
      lines += line(event);
      next = event.seq + 1;
      textBytes += Buffer.byteLength(event.publicText);
      isFull = next - from === limit || textBytes >= JOURNAL_PAGE.bytes;
      if (isFull) break;
    }
    parts.push(Buffer.from(lines));
    if (!isFull && !isEnd) await rest?.(performance.now() - begunMs);
  }
  const bytes = joined(parts);
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const seq = next > from ? next - 1 : (await journal.head()).seq;
  return { bytes, etag, seq, next: isFull ? next : null };
}

/** Makes pages in this process: for tests, and for processes without other requests. */
export function pagesOf(journal: Promise<ReadableJournal>): PageSource {
  return {
    page: async (request, signal) => makePage(await journal, request, signal),
    stop: () => Promise.resolve(),
  };
}

function joined(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

function line(stored: StoredEvent): string {
  const { hash, id, privateDigest, publicText, seq, type } = withhold(stored);
  const body: JournalLineBody = { hash, id, privateDigest, publicText, seq, type };
  return `${JSON.stringify(body)}\n`;
}

export type PageMessage = { readonly id: number; readonly request: PageRequest } | { readonly stop: number };

export type PageAnswer =
  | { readonly id: number; readonly page: PageBytes }
  | { readonly id: number; readonly error: string }
  | { readonly closed: string };
