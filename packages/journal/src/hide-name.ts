import { publicNameDigest } from './name-digest.ts';
import type { Stored, Upcast } from './stored-object.ts';

/**
 * Accounts were opened in version 1 with their display name, which is public text for ever. In its place the current
 * version has a digest; so has the same name in a command and in its event the same one.
 */
export const hideName: Upcast = (old) => {
  const { accountId, at, displayName, ...rest } = old;
  return { accountId, at, nameDigest: publicNameDigest(String(displayName)), ...rest };
};

/** The display name in the public text of an event that opened an account in version 1; null of all others. */
export function formerNameIn(event: Stored, version: number): string | null {
  const name = version === 1 ? event['displayName'] : undefined;
  return typeof name === 'string' ? name : null;
}
