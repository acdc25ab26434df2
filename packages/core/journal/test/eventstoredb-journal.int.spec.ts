import { randomUUID } from 'node:crypto';
import { eventStoreAt, testEventStore } from '@paper/testkit/servers';
import { createEventStoreJournal } from '../src/index.ts';
import { journalContract } from './contract.ts';

if (eventStoreAt().toShare) {
  // Each shard of one server is a separate journal.
  journalContract('eventstoredb', () => {
    const shard = `contract-${randomUUID()}`;
    return Promise.resolve({
      close: () => Promise.resolve(),
      open: async () => createEventStoreJournal({ connectionString: await testEventStore(), shard }),
    });
  });
} else {
  it('journal contract: eventstoredb (skipped: set JOURNAL_URL, or have eventstored on PATH)');
}
