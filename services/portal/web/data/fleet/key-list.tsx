import type { ApiKeyBody, FleetKeyBody } from '@paper/contracts/accounts';
import type { ComponentChildren } from 'preact';
import { Time } from '../../ui/figures.tsx';
import { utcDayText } from '../../ui/format.ts';
import { Row, RowList } from '../../ui/row-list.tsx';
import { mandateSummary } from './mandate-form.ts';

export interface KeyListProps<K extends FleetKeyBody | PortalKey> {
  readonly label: string;
  readonly keys: readonly K[];
  readonly accountName?: (key: K) => string;
  readonly actions?: (key: K) => ComponentChildren;
}

export function KeyList<K extends FleetKeyBody | PortalKey>({ label, keys, accountName, actions }: KeyListProps<K>) {
  return (
    <RowList label={label}>
      {keys.map((key) => (
        <Row
          key={key.id}
          name={key.name}
          tags={tagsOf(key)}
          facts={[
            ...(accountName === undefined ? [] : [`of ${accountName(key)}`]),
            `may ${key.permissions.join(', ')}`,
            <>
              ends in <code>{key.last4}</code>
            </>,
            <>
              {key.revokedAt === null ? 'made ' : 'revoked '}
              <Time at={key.revokedAt ?? key.createdAt} />
            </>,
            key.lastUsedOn === null ? 'no use noted yet' : `last used ${utcDayText(new Date(key.lastUsedOn))} (UTC)`,
          ]}
          isEnded={key.revokedAt !== null}
          actions={key.revokedAt === null ? actions?.(key) : undefined}
        >
          {key.mandate !== null && <p>Limits: {mandateSummary(key.mandate).join('; ')}</p>}
        </Row>
      ))}
    </RowList>
  );
}

function tagsOf(key: FleetKeyBody | PortalKey): readonly string[] {
  const isPortals = 'isPortals' in key && key.isPortals;
  return [...(isPortals ? ['used by these pages'] : []), ...(key.revokedAt === null ? [] : ['revoked'])];
}

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
