import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { withhold } from '@paper/journal';
import type { StoredEvent, WithheldEvent } from '@paper/journal';
import type { JournalAccess } from '../../../web/data/receipts/journal-page.ts';

const GOLDEN = path.resolve(import.meta.dirname, '../../../../../packages/core/journal/test/golden/format-3.json');

/** The public lines of the golden journal: an order that fills, is cancelled, amended and replaced, and others. */
export function goldenLines(): WithheldEvent[] {
  const vectors = JSON.parse(readFileSync(GOLDEN, 'utf8')) as readonly { readonly stored: StoredEvent }[];
  return vectors.map(({ stored }) => withhold(stored));
}

export interface ServedJournal {
  readonly access: JournalAccess;
  /** Paths that were requested. */
  readonly requests: readonly string[];
  /** Answers the next requests with these statuses. */
  readonly failNext: (...statuses: number[]) => void;
  readonly close: () => void;
}

/** Serves lines as GET /api/journal does, in pages of three. */
export async function serveJournal(lines: readonly WithheldEvent[], pageSize = 3): Promise<ServedJournal> {
  const failures: number[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const failure = failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure, { 'retry-after': '2' }).end('{"error":"too busy","code":"unavailable"}');
      return;
    }
    const { searchParams } = new URL(request.url ?? '', 'http://journal');
    const from = Number(searchParams.get('from'));
    const limit = Math.min(pageSize, Number(searchParams.get('limit') ?? pageSize));
    const page = lines.slice(from - 1, from - 1 + limit);
    const next = from + page.length;
    if (page.length === limit) response.setHeader('link', `</api/journal?from=${next}&limit=${limit}>; rel="next"`);
    response.setHeader('x-journal-seq', page.at(-1)?.seq ?? lines.length);
    response.end(page.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    access: { origin: `http://127.0.0.1:${port}`, pause: () => Promise.resolve() },
    requests,
    failNext: (...statuses) => void failures.push(...statuses),
    close: () => server.close(),
  };
}
