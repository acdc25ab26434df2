import { eventStoreAt, testEventStore } from '@paper/testkit/servers';
import { streamSemantics } from './stream-semantics.ts';

if (eventStoreAt().toShare) {
  streamSemantics('a real server', async () => ({
    close: () => Promise.resolve(),
    connectionString: await testEventStore(),
  }));
} else {
  it('stream semantics: a real server (skipped: set JOURNAL_URL, or have eventstored on PATH)');
}
