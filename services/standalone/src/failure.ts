import { isUnreadable } from '@paper/command-side';
import { StartRefused } from '@paper/runtime';

/** Does the work. @throws StartRefused when this build cannot read the journal; otherwise the work's errors. */
export async function refuseUnreadable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw isUnreadable(error) ? new StartRefused(error.message, { cause: error }) : error;
  }
}
