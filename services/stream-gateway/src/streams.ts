import { AccountStreams } from './account-streams.ts';
import type { AccountStreamsSettings } from './account-streams.ts';
import { BookStreams } from './book-streams.ts';
import type { BookStreamsSettings } from './book-streams.ts';
import { StreamGateway } from './stream-gateway.ts';
import type { StreamGatewaySettings } from './stream-gateway.ts';

type SharedSettings = 'authenticate' | 'clock' | 'journalCheck' | 'logger' | 'metrics' | 'trace';

interface StreamsSettings extends Pick<BookStreamsSettings, SharedSettings | 'books' | 'journal'> {
  readonly events: AccountStreamsSettings['events'];
  readonly pulses: Pick<StreamGatewaySettings, 'channel' | 'clock' | 'gapMs' | 'keptMs' | 'snapshots'>;
}

/** Creates the streams of pulses, of accounts and of books. */
export function createStreams({ events, pulses, ...settings }: StreamsSettings) {
  const gateway = new StreamGateway({ ...settings, ...pulses });
  const accounts = new AccountStreams({ ...settings, events });
  const books = new BookStreams({ ...settings, accounts: accounts.feed });
  return {
    routes: [...gateway.routes, ...accounts.routes, ...books.routes],
    /** Resolves when streams of books are answered. */
    begun: books.begun,
    start(): void {
      for (const one of [gateway, accounts, books]) one.start();
    },
    /** Ends every stream. Call it before the HTTP server stops, which would wait for streams. */
    async stop(): Promise<void> {
      gateway.stop();
      await Promise.all([accounts.stop(), books.stop()]);
    },
  };
}
