import type { ComposedSet } from './composed-set.ts';

/** The services that read the replaced secrets. */
const READERS = ['command-api', 'projector', 'query-api', 'stream-gateway', 'portal', 'backtests'];

/**
 * Replaces the passwords of the database's roles and an operator's token in the files of secrets, as an operator does, and
 * restarts the services that read them. Returns the new token.
 */
export async function rotateSecrets(set: ComposedSet, operator: string): Promise<string> {
  await set.runTask('rotate', ['passwords']);
  const token = await set.runTask('rotate', ['tokens', operator]);
  for (const name of READERS) await set.restart(name);
  return token.trim();
}
