import { ApiError } from '@paper/contracts';
import type { StoredEvent } from '@paper/journal';
import { createLogger } from '@paper/service-kit';
import { expect } from 'chai';
import { JournalReads, type ReadableJournal } from '../src/journal/journal-reads.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const LIMITS = { events: 5, bytes: 1_000 };

/** A journal whose reads wait until they are let go, each with its answer. */
function heldJournal() {
  const held: ((answer: Promise<readonly StoredEvent[]>) => void)[] = [];
  const journal: ReadableJournal = {
    head: () => Promise.resolve({ hash: '', seq: 7 }),
    read: () => new Promise((resolve) => held.push(resolve)),
  };
  return { held, journal };
}

const refusal = (error: unknown): string => (error instanceof ApiError ? error.message : String(error));
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('reads of the journal for clients', () => {
  it('come one after the other, in the order in which they were asked', async () => {
    const { held, journal } = heldJournal();
    const reads = new JournalReads(Promise.resolve(journal), logger);
    const pages = [reads.page(1, LIMITS), reads.page(6, LIMITS)];
    await turns();
    expect(held.length).to.equal(1);
    held[0]?.(Promise.resolve([]));
    expect(await pages[0]).to.deep.equal({ events: [], full: false });
    await turns();
    expect(held.length).to.equal(2);
    held[1]?.(Promise.resolve([]));
    await pages[1];
  });

  it('go on after one that failed, which is unavailable', async () => {
    const { held, journal } = heldJournal();
    const reads = new JournalReads(Promise.resolve(journal), logger);
    const failed = reads.page(1, LIMITS).catch(refusal);
    const next = reads.headSeq();
    await turns();
    held[0]?.(Promise.reject(new Error('gone')));
    expect(await failed).to.equal('the journal cannot be read now; try again');
    expect(await next).to.equal(7);
  });

  it('are refused where too many wait, and taken again when they do not', async () => {
    const { held, journal } = heldJournal();
    const reads = new JournalReads(Promise.resolve(journal), logger);
    const waiting = Array.from({ length: 100 }, (_, n) => (n === 0 ? reads.page(1, LIMITS) : reads.headSeq()));
    expect(await reads.headSeq().catch(refusal)).to.equal('too many read the journal now; try again');
    await turns();
    held[0]?.(Promise.resolve([]));
    await Promise.all(waiting);
    expect(await reads.headSeq()).to.equal(7);
  });

  it('wait for a journal that is long in coming', async () => {
    const { journal } = heldJournal();
    let come: (journal: ReadableJournal) => void = () => undefined;
    const reads = new JournalReads(new Promise((resolve) => (come = resolve)), logger);
    const seq = reads.headSeq();
    come(journal);
    expect(await seq).to.equal(7);
  });
});
