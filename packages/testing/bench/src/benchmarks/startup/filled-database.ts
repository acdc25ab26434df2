import { createPostgresJournal } from '@paper/journal';
import type { Head } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { findNames } from '@paper/names';
import { storeTestNames } from '@paper/testkit';
import { figure } from '../../index.ts';
import { fillJournal } from './journal.ts';
import type { JournalSize } from './journal.ts';

/** Fills a database with a journal of this size, the names of its accounts, and its read models. Gives the head. */
export async function fillDatabase(connectionString: string, size: JournalSize): Promise<Head> {
  const journal = await createPostgresJournal({ connectionString });
  try {
    console.error(`making a journal of ${figure(size.events)} events …`);
    const accountIds = await fillJournal(journal, size);
    await findNames(connectionString);
    await storeTestNames(connectionString, 'main', accountIds);
    console.error('making its read models …');
    await rebuilding.rebuild({ connectionString, journal });
    return await journal.head();
  } finally {
    await journal.close();
  }
}
