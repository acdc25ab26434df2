import type { IssuedApiKeyBody, SubAccountBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import type { Person } from '../../data/session/session.tsx';
import { keysByAccount } from '../../data/fleet/keys.ts';
import type { PortalKey } from '../../data/fleet/keys.ts';
import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AccountCard } from './account-card.tsx';
import { NewSubAccount } from './new-sub-account.tsx';

/** The person's fleet: the main account and its sub-accounts, with the keys of each. */
export default function SubAccounts() {
  return (
    <div class="medium">
      <h1>Sub-accounts</h1>
      <p class="quiet">
        A sub-account has its own money, positions and keys. Give each program one, so that they cannot spend each
        other's. Accounts of one fleet never trade with each other.
      </p>
      <OnlySignedIn>{(person) => <Fleet person={person} />}</OnlySignedIn>
    </div>
  );
}

/** A bot may change the fleet at any time by the API. */
const EVERY_MS = 5_000;

function Fleet({ person }: { readonly person: Person }) {
  const subs = useRead<{ readonly subAccounts: readonly SubAccountBody[] }>('/portal/sub-accounts', {
    everyMs: EVERY_MS,
  });
  const keys = useRead<{ readonly keys: readonly PortalKey[] }>('/portal/keys', { everyMs: EVERY_MS });
  const [made, setMade] = useState<{ readonly accountId: string; readonly apiKey: IssuedApiKeyBody } | null>(null);
  const error = subs.error ?? keys.error;
  const reload = (): void => {
    subs.reload();
    keys.reload();
  };
  if (subs.data === null || keys.data === null) {
    return error === null ? <p class="quiet">Loading …</p> : <Notice kind="error">{error.message}</Notice>;
  }
  const issued = (accountId: string) => ({
    made: made?.accountId === accountId ? made.apiKey : null,
    onMade: (apiKey: IssuedApiKeyBody | null) => {
      setMade(apiKey === null ? null : { accountId, apiKey });
      reload();
    },
  });
  const { subAccounts } = subs.data;
  const byAccount = keysByAccount(keys.data.keys);
  return (
    <>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <NewSubAccount
        onMade={({ subAccount, apiKey }) => {
          setMade({ accountId: subAccount.id, apiKey });
          reload();
        }}
      />
      {subAccounts.length === 0 && <p>You have no sub-account yet.</p>}
      {subAccounts.map((account) => (
        <AccountCard
          key={account.id}
          id={account.id}
          name={account.displayName}
          figures={account}
          keys={byAccount.get(account.id) ?? []}
          onChange={reload}
          {...issued(account.id)}
        />
      ))}
      <AccountCard
        id={person.accountId}
        name={`${person.displayName} (main account)`}
        figures={null}
        keys={byAccount.get(person.accountId) ?? []}
        onChange={reload}
        {...issued(person.accountId)}
      />
    </>
  );
}
