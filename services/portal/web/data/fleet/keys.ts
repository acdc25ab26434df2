import type { ApiKeyBody, FleetKeyBody } from '@paper/contracts/accounts';

export interface PortalKey extends FleetKeyBody {
  /** Whether the portal made it, to act for the person. */
  readonly isPortals: boolean;
}

/** The keys of each account: active ones first, then the latest change first. */
export function keysByAccount(keys: readonly PortalKey[]): ReadonlyMap<string, readonly PortalKey[]> {
  const found = new Map<string, PortalKey[]>();
  for (const key of keys.toSorted(byAge)) {
    const before = found.get(key.accountId);
    if (before === undefined) found.set(key.accountId, [key]);
    else before.push(key);
  }
  return found;
}

function byAge(a: ApiKeyBody, b: ApiKeyBody): number {
  const isEnded = (key: ApiKeyBody): number => (key.revokedAt === null ? 0 : 1);
  const changedAt = (key: ApiKeyBody): string => key.revokedAt ?? key.createdAt;
  return isEnded(a) - isEnded(b) || (changedAt(a) < changedAt(b) ? 1 : -1);
}
