import type { ComposedSet } from './composed-set.ts';

/** The services that read the replaced secrets. */
const READERS = ['command-api', 'projector', 'query-api', 'stream-gateway', 'portal', 'backtests'];

/** Replaces the roles' passwords and an operator's token, and restarts their readers. Returns the new token. */
export async function rotateSecrets(set: ComposedSet, operator: string): Promise<string> {
  await set.runTask('rotate', ['passwords']);
  const token = await set.runTask('rotate', ['tokens', operator]);
  for (const name of READERS) await set.restart(name);
  return token.trim();
}
