import type { IssuedApiKeyBody, SubAccountBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import type { Person, SessionInfo } from '../../data/session/session.tsx';
import { KeyList, keysByAccount } from '../../data/fleet/key-list.tsx';
import type { PortalKey } from '../../data/fleet/key-list.tsx';
import { RevokeButton } from '../../data/fleet/revoke-button.tsx';
import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { AccountCard } from './account-card.tsx';
import { AutomationKey } from './automation-key.tsx';
import { NewSubAccount } from './new-sub-account.tsx';

export default function Developers() {
  return (
    <div class="medium">
      <h1>Developers</h1>
      <p class="quiet">
        A program trades by the <a href="/api/docs">API</a> with a key, as you do by hand. Give each program a
        sub-account with money and keys of its own, so that they cannot spend each other's. Accounts of one fleet never
        trade with each other.
      </p>
      <OnlySignedIn>{(person, info) => <Fleet person={person} info={info} />}</OnlySignedIn>
    </div>
  );
}

/** The accounts are read this often, since a bot may change them by the API. */
const EVERY_MS = 5_000;

function Fleet({ person, info }: { readonly person: Person; readonly info: SessionInfo }) {
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
  if (subs.data === null || keys.data === null) return <ReadNotice data={null} error={error} />;
  const issued = (accountId: string, isMaster: boolean) => ({
    made: made?.accountId === accountId && made.apiKey.permissions.includes('master') === isMaster ? made.apiKey : null,
    onMade: (apiKey: IssuedApiKeyBody | null) => {
      setMade(apiKey === null ? null : { accountId, apiKey });
      reload();
    },
    onChange: reload,
  });
  const { subAccounts } = subs.data;
  const main = { id: person.accountId, displayName: person.displayName };
  const byAccount = keysByAccount(keys.data.keys.filter(({ isPortals }) => !isPortals));
  const ofMain = byAccount.get(main.id) ?? [];
  const isMaster = ({ permissions }: PortalKey): boolean => permissions.includes('master');
  const ofPages = keys.data.keys.filter(({ isPortals }) => isPortals);
  const nameOf = ({ accountId }: PortalKey): string =>
    [main, ...subAccounts].find(({ id }) => id === accountId)?.displayName ?? 'a sub-account';
  return (
    <>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <AutomationKey
        account={main}
        baseUrl={info.publicUrl}
        keys={ofMain.filter(isMaster)}
        {...issued(main.id, true)}
      />
      <NewSubAccount
        count={subAccounts.length}
        onMade={({ subAccount, apiKey }) => {
          setMade({ accountId: subAccount.id, apiKey });
          reload();
        }}
      />
      {subAccounts.map((account) => (
        <AccountCard
          key={account.id}
          account={account}
          title={account.displayName}
          figures={account}
          keys={byAccount.get(account.id) ?? []}
          {...issued(account.id, false)}
        />
      ))}
      <AccountCard
        account={main}
        title={`${main.displayName} (main account)`}
        figures={null}
        keys={ofMain.filter((key) => !isMaster(key))}
        {...issued(main.id, false)}
      />
      <Section title="Keys of these pages">
        <details>
          <summary>{ofPages.length} keys with which these pages act for you</summary>
          <KeyList
            label="Keys of these pages"
            keys={ofPages}
            accountName={nameOf}
            actions={(key) => <RevokeButton apiKey={key} accountName={nameOf(key)} onRevoked={reload} />}
          />
        </details>
      </Section>
    </>
  );
}
