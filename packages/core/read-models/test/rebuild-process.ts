import { createPostgresJournal } from '@paper/journal';
import { rebuild } from '../src/rebuild/rebuild.ts';

/** A rebuild as a process of its own, in many small steps, so that it can be killed in any of them. */
const connectionString = process.env['DATABASE_URL'] ?? '';
const journal = await createPostgresJournal({ connectionString });
process.send?.('begun');
await rebuild({ batchSize: 20, connectionString, journal, onProgress: (progress) => void process.send?.(progress) });
await journal.close();
process.disconnect();
