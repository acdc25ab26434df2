import type { LedgerEntryBody } from '@paper/contracts/journal';
import { expect } from 'chai';
import { LedgerTail } from '../../web/pages/portfolio/ledger-tail.ts';
import type { LedgerPage } from '../../web/pages/portfolio/ledger-tail.ts';

const entry = (seq: number) => ({ seq }) as LedgerEntryBody;

/** A ledger in pages of two, whose last page grows. */
class Ledger {
  readonly asked: string[] = [];
  count = 0;

  readonly read = (path: string): Promise<LedgerPage> => {
    this.asked.push(path);
    const from = Number(path);
    const to = Math.min(from + 2, this.count);
    const body = Array.from({ length: to - from }, (_, at) => entry(from + at + 1));
    return Promise.resolve({ body, next: this.count > from + 2 ? String(from + 2) : null });
  };
}

const seqs = ({ entries }: LedgerTail) => entries.map(({ seq }) => seq);

describe('the ledger as a chart reads it', () => {
  it('given several pages, then it has all entries in order', async () => {
    const ledger = new Ledger();
    ledger.count = 5;
    const tail = new LedgerTail('0');
    expect(await tail.readOn(ledger.read, 10)).to.equal(true);
    expect(seqs(tail)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('given more entries later, then it reads on from the last page, and has each once', async () => {
    const ledger = new Ledger();
    ledger.count = 3;
    const tail = new LedgerTail('0');
    await tail.readOn(ledger.read, 10);
    await tail.readOn(ledger.read, 10);
    expect(seqs(tail)).to.deep.equal([1, 2, 3]);
    ledger.count = 6;
    ledger.asked.length = 0;
    await tail.readOn(ledger.read, 10);
    expect(seqs(tail)).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect(ledger.asked).to.deep.equal(['2', '4']);
  });

  it('given more pages than it may read, then it says so, and goes on from there the next time', async () => {
    const ledger = new Ledger();
    ledger.count = 5;
    const tail = new LedgerTail('0');
    expect(await tail.readOn(ledger.read, 2)).to.equal(false);
    expect(seqs(tail)).to.deep.equal([1, 2, 3, 4]);
    expect(await tail.readOn(ledger.read, 2)).to.equal(true);
    expect(seqs(tail)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('given a read that fails, then the next one asks for the same page again', async () => {
    const ledger = new Ledger();
    ledger.count = 3;
    const tail = new LedgerTail('0');
    let failsNext = false;
    const read = (path: string) => (failsNext ? Promise.reject(new Error('no answer')) : ledger.read(path));
    await tail.readOn(read, 1);
    failsNext = true;
    await tail.readOn(read, 1).catch(() => undefined);
    failsNext = false;
    await tail.readOn(read, 1);
    expect(seqs(tail)).to.deep.equal([1, 2, 3]);
  });
});
