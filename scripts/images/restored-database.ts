import type { ComposedSet, StoppedProcess } from './composed-set.ts';

export interface RestoredDatabase {
  readonly output: string;
  /** The processes that ran before. */
  readonly stopped: readonly StoppedProcess[];
}

/** Stops the set, removes all data of Postgres, restores the newest backup and starts the set again. */
export async function restoreDatabase(set: ComposedSet): Promise<RestoredDatabase> {
  const stopped = await set.stop();
  set.erase('postgres');
  await set.startFor('restore');
  const output = await set.runTask('restore');
  await set.start();
  return { output, stopped };
}
