import type { FleetKeyBody } from '@paper/contracts/accounts';
import type { ComponentChildren } from 'preact';
import { Time } from '../../ui/figures.tsx';
import { utcDayText } from '../../ui/format.ts';
import { Row, RowList } from '../../ui/row-list.tsx';
import type { PortalKey } from './keys.ts';
import { mandateSummary } from './mandate-form.ts';

export interface KeyListProps<K extends FleetKeyBody | PortalKey> {
  readonly label: string;
  readonly keys: readonly K[];
  /** The name of a key's account, in lists of several accounts. */
  readonly accountName?: (key: K) => string;
  /** The actions for an active key. */
  readonly actions?: (key: K) => ComponentChildren;
}

/** Keys with their permissions, without the secret. */
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
