import type { IssuedApiKeyBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import type { Person, SessionInfo } from '../../data/session/session.tsx';
import { IssuedKey } from '../../data/fleet/issued-key.tsx';
import { KeyList } from '../../data/fleet/key-list.tsx';
import { keysByAccount } from '../../data/fleet/keys.ts';
import type { PortalKey } from '../../data/fleet/keys.ts';
import { RevokeButton } from '../../data/fleet/revoke-button.tsx';
import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { NewMasterKey } from './new-master-key.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { KEY_PLACEHOLDER } from './snippets.ts';

/** The master key, with which programs set up a fleet without a browser. */
export default function AutomationKey() {
  return (
    <div class="medium">
      <h1>Automation key</h1>
      <p class="quiet">
        A master key lets a program do without a browser what the page Sub-accounts does: open sub-accounts, make and
        revoke keys, set limits, and trade with your main account. Give programs that only trade a key of their own
        sub-account instead.
      </p>
      <OnlySignedIn>{(person, info) => <MasterKeys person={person} info={info} />}</OnlySignedIn>
    </div>
  );
}

const EVERY_MS = 5_000;

function MasterKeys({ person, info }: { readonly person: Person; readonly info: SessionInfo }) {
  const { data, error, reload } = useRead<{ readonly keys: readonly PortalKey[] }>('/portal/keys', {
    everyMs: EVERY_MS,
  });
  const [made, setMade] = useState<IssuedApiKeyBody | null>(null);
  if (data === null) {
    return error === null ? <p class="quiet">Loading …</p> : <Notice kind="error">{error.message}</Notice>;
  }
  const masters = (keysByAccount(data.keys).get(person.accountId) ?? []).filter(
    ({ isPortals, permissions }) => permissions.includes('master') && !isPortals,
  );
  return (
    <>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {made === null ? (
        <NewMasterKey
          onMade={(apiKey) => {
            setMade(apiKey);
            reload();
          }}
        />
      ) : (
        <IssuedKey key={made.id} apiKey={made} onStored={() => setMade(null)} />
      )}
      <Section title="The first call">
        <p class="quiet">
          It opens a sub-account and prints its own key.{' '}
          {made?.rawKey === undefined
            ? `Put your key in the place of ${KEY_PLACEHOLDER}.`
            : 'Your new key is already in it, as long as it is shown above.'}
        </p>
        <SnippetTabs baseUrl={info.publicUrl} rawKey={made?.rawKey ?? KEY_PLACEHOLDER} />
        <p>
          <a href="/api/docs">All calls of the API</a>
        </p>
      </Section>
      <Section title="Your master keys">
        {masters.length === 0 ? (
          <p>You have none yet.</p>
        ) : (
          <KeyList
            label="Master keys"
            keys={masters}
            actions={(key) => <RevokeButton apiKey={key} accountName={person.displayName} onRevoked={reload} />}
          />
        )}
      </Section>
    </>
  );
}
