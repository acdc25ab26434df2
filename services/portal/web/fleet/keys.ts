import type { ApiKeyBody } from '@paper/contracts';

/** The name of the keys that the portal makes for itself: the everyday key, the master key, and those to view a fleet. */
const PORTAL_KEY_NAME = 'portal';

/** Whether the portal uses this key for the person. */
export function isOfPortal({ name }: Pick<ApiKeyBody, 'name'>): boolean {
  return name === PORTAL_KEY_NAME;
}

/** Live keys first, the newest of them first; then revoked ones, the last revoked first. */
export function inOrder<K extends ApiKeyBody>(keys: readonly K[]): readonly K[] {
  const timeOf = ({ revokedAt, createdAt }: K): string => revokedAt ?? createdAt;
  const rank = ({ revokedAt }: K): number => (revokedAt === null ? 0 : 1);
  return keys.toSorted((a, b) => rank(a) - rank(b) || (timeOf(a) < timeOf(b) ? 1 : -1));
}
