import { createPostgresJournal } from '@paper/journal';
import { connectReadModels } from '../src/projection/database.ts';
import { fillWhereEmpty } from '../src/rebuild/fill-empty.ts';
import { rebuild } from '../src/rebuild/rebuild.ts';

/** A rebuild, or a first fill, as a process of its own, in many small steps, so that it can be killed in any of them. */
const connectionString = process.env['DATABASE_URL'] ?? '';
const journal = await createPostgresJournal({ connectionString });
const options = {
  batchSize: 20,
  connectionString,
  journal,
  onProgress: (progress: object) => void process.send?.(progress),
};
process.send?.('begun');
if (process.env['FIRST_FILL'] === undefined) {
  await rebuild(options);
} else {
  const db = connectReadModels({ connectionString });
  await fillWhereEmpty(db, options);
  await db.destroy();
}
await journal.close();
process.disconnect();
