import { PortError } from '@paper/contracts';
import type { Client } from '@paper/contracts';
import { createLogger } from '@paper/runtime';
import { expect } from 'chai';
import { JournalPages } from '../src/journal/journal-pages.ts';
import type { PageBytes, PageRequest, PageSource } from '../src/journal/page-bytes.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refusal = (error: unknown): string =>
  error instanceof PortError ? `${error.code}: ${error.message}` : String(error);
const client = (address = 'address:1'): Client & { readonly leave: () => void } => {
  const controller = new AbortController();
  return { address, signal: controller.signal, leave: () => controller.abort(new Error('gone')) };
};

interface Asked {
  readonly request: PageRequest;
  readonly signal: AbortSignal;
  readonly give: (head: number) => void;
  readonly fail: () => void;
}

/** Pages of a journal, each of which waits until the test releases it, with the journal's head by then. */
function heldPages() {
  const asked: Asked[] = [];
  const source: PageSource = {
    page: (request, signal) =>
      new Promise((resolve, reject) => {
        const give = (head: number): void => resolve(pageOf(request, head));
        asked.push({ request, signal, give, fail: () => reject(new Error('the journal is away')) });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    stop: () => Promise.resolve(),
  };
  return { asked, pages: new JournalPages(source, logger) };
}

function pageOf({ from, limit }: PageRequest, head: number): PageBytes {
  const last = Math.min(head, from + limit - 1);
  const isFull = last === from + limit - 1;
  const bytes = new Uint8Array(Buffer.from(`${from} to ${last}`));
  return { bytes, etag: `${from}-${last}`, seq: last < from ? head : last, next: isFull ? last + 1 : null };
}

describe('pages of the public journal', () => {
  it('are made once where they are full, and given again as the same bytes', async () => {
    const { asked, pages } = heldPages();
    const first = pages.page({ from: 1, limit: 10 }, client());
    asked[0]?.give(25);
    const { ready, seq, next } = await first;
    expect([ready.bytes.toString(), seq, next]).to.deep.equal(['1 to 10', 10, 11]);
    const again = await pages.page({ from: 1, limit: 10 }, client('address:2'));
    expect(again.ready).to.equal(ready);
    expect(asked).to.have.length(1);
  });

  it('are looked at each time at the end of the journal', async () => {
    const { asked, pages } = heldPages();
    for (const [n, head] of [12, 13, 20].entries()) {
      const page = pages.page({ from: 11, limit: 10 }, client());
      await turn();
      asked[n]?.give(head);
      expect((await page).ready.bytes.toString()).to.equal(`11 to ${head}`);
    }
    await pages.page({ from: 11, limit: 10 }, client());
    expect(asked).to.have.length(3);
  });

  it('are made once for concurrent requests of the same past page', async () => {
    const { asked, pages } = heldPages();
    const known = pages.page({ from: 91, limit: 10 }, client());
    asked[0]?.give(100);
    await known;
    const same = [1, 2, 3].map((n) => pages.page({ from: 1, limit: 10 }, client(`address:${n}`)));
    await turn();
    asked[1]?.give(100);
    const [one, other] = await Promise.all(same);
    expect(one).to.equal(other);
    expect(asked).to.have.length(2);
  });

  it('are made one at a time, by turns of the addresses', async () => {
    const { asked, pages } = heldPages();
    const flood = [1, 2, 3].map((n) => pages.page({ from: 10 * n, limit: 10 }, client('address:1')));
    const other = pages.page({ from: 500, limit: 10 }, client('address:2'));
    for (const [n, from] of [10, 500, 20, 30].entries()) {
      await turn();
      expect([asked.length, asked[n]?.request.from]).to.deep.equal([n + 1, from]);
      asked[n]?.give(1_000);
    }
    await Promise.all([...flood, other]);
  });

  it('are not made for a client that has disconnected, and other clients of the same page are served', async () => {
    const { asked, pages } = heldPages();
    const known = pages.page({ from: 91, limit: 10 }, client());
    asked[0]?.give(100);
    await known;
    const [first, second, third] = [client('address:1'), client('address:2'), client('address:3')];
    const left = pages.page({ from: 1, limit: 10 }, first).catch(String);
    const stays = pages.page({ from: 1, limit: 10 }, second);
    const never = pages.page({ from: 11, limit: 10 }, third).catch(String);
    await turn();
    third.leave();
    first.leave();
    expect(await left).to.equal('Error: gone');
    expect(await never).to.equal('Error: gone');
    expect(asked[1]?.signal.aborted).to.equal(true);
    await turn();
    asked[2]?.give(100);
    expect((await stays).ready.bytes.toString()).to.equal('1 to 10');
    expect(asked.map(({ request }) => request.from)).to.deep.equal([91, 1, 1]);
  });

  it('are unavailable where the journal cannot be read, and made when it can', async () => {
    const { asked, pages } = heldPages();
    const failed = pages.page({ from: 1, limit: 10 }, client()).catch(refusal);
    await turn();
    asked[0]?.fail();
    expect(await failed).to.equal('unavailable: the journal cannot be read now; try again');
    const made = pages.page({ from: 1, limit: 10 }, client());
    await turn();
    asked[1]?.give(100);
    expect((await made).seq).to.equal(10);
  });
});
