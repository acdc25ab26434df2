import { JournalUnreadable } from '@paper/command-side';
import { JournalDamaged } from '@paper/journal';
import { StartRefused } from '@paper/runtime';

/** Does the work. @throws StartRefused where this build cannot read the journal; the work's errors otherwise. */
export async function refuseUnreadable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isUnreadable = error instanceof JournalDamaged || error instanceof JournalUnreadable;
    throw isUnreadable ? new StartRefused(error.message, { cause: error }) : error;
  }
}
