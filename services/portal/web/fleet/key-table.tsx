import type { ApiKeyBody, FleetKeyBody } from '@paper/contracts';
import type { ComponentChildren } from 'preact';
import { Time } from '../ui/figures.tsx';
import { Cell, Table } from '../ui/table.tsx';
import { isOfPortal } from './keys.ts';
import { mandateSummary } from './mandate-form.ts';

export interface KeyTableProps<K extends ApiKeyBody> {
  readonly caption: string;
  readonly keys: readonly K[];
  /** The person's own account. Given: a column names the account of each key (which then are of type FleetKey). */
  readonly primaryId?: string;
  /** Names of sub-accounts by id, for that column. */
  readonly names?: ReadonlyMap<string, string>;
  /** What can be done with a key; left out: nothing. */
  readonly actions?: (key: K) => ComponentChildren;
}

/** Keys with what they may do. The keys themselves are never shown here. */
export function KeyTable<K extends ApiKeyBody | FleetKeyBody>(props: KeyTableProps<K>) {
  const { caption, keys, primaryId, names, actions } = props;
  const columns = [
    { name: 'Name' },
    ...(primaryId === undefined ? [] : [{ name: 'Account' }]),
    { name: 'Ends in' },
    { name: 'May' },
    { name: 'Limits' },
    { name: 'Made' },
    ...(actions === undefined ? [] : [{ name: 'Change' }]),
  ];
  return (
    <Table caption={caption} columns={columns}>
      {keys.map((key) => (
        <tr key={key.id} class={key.revokedAt === null ? undefined : 'ended'}>
          <Cell>
            {key.name}
            {isOfPortal(key) && <span class="tag">these pages</span>}
            {key.revokedAt !== null && <span class="tag">revoked</span>}
          </Cell>
          {primaryId !== undefined && <Cell>{accountName(key, primaryId, names)}</Cell>}
          <Cell>
            <code>{key.last4}</code>
          </Cell>
          <Cell>{key.permissions.join(', ')}</Cell>
          <Cell>{key.mandate === null ? '–' : mandateSummary(key.mandate).join(', ')}</Cell>
          <Cell>
            <Time at={key.createdAt} />
          </Cell>
          {actions !== undefined && <Cell>{key.revokedAt === null && actions(key)}</Cell>}
        </tr>
      ))}
    </Table>
  );
}

function accountName(key: ApiKeyBody | FleetKeyBody, primaryId: string, names?: ReadonlyMap<string, string>): string {
  if (!('accountId' in key)) return '–';
  if (key.accountId === primaryId) return 'Main account';
  return names?.get(key.accountId) ?? 'Sub-account';
}
