import type { CreatedApiKeyBody, IssuedApiKeyBody } from '@paper/contracts/accounts';
import { IssuedKey } from '../../data/fleet/issued-key.tsx';
import { KeyList } from '../../data/fleet/key-list.tsx';
import { RevokeButton } from '../../data/fleet/revoke-button.tsx';
import { Section } from '../../ui/section.tsx';
import type { AccountKeysProps } from './account-card.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { KEY_PLACEHOLDER } from './snippets.ts';
import { useProvenCall } from '../../data/session/use-proven-call.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';

type AutomationKeyProps = AccountKeysProps & Readonly<{ account: { readonly displayName: string }; baseUrl: string }>;

/** Makes the master key, with which a program opens sub-accounts and makes keys, and shows the first call with it. */
export function AutomationKey({ account, baseUrl, keys, made, onMade, onChange }: AutomationKeyProps) {
  return (
    <>
      <Section title="Automation key">
        <p class="quiet">
          A master key lets a program do without a browser what this page does: open sub-accounts, make and revoke keys,
          set limits, and trade with your main account. Programs that only trade need none.
        </p>
        {made === null ? (
          <NewMasterKey onMade={onMade} />
        ) : (
          <IssuedKey key={made.id} apiKey={made} onStored={() => onMade(null)} />
        )}
        {keys.length > 0 && (
          <KeyList
            label="Master keys"
            keys={keys}
            actions={(key) => <RevokeButton apiKey={key} accountName={account.displayName} onRevoked={onChange} />}
          />
        )}
      </Section>
      <Section title="The first call">
        <p class="quiet">
          It opens a sub-account and prints its own key.{' '}
          {made?.rawKey === undefined ? (
            <>
              Put your key where <code>{KEY_PLACEHOLDER}</code> stands.
            </>
          ) : (
            'Your new key is already in it, as long as it is shown above.'
          )}
        </p>
        <SnippetTabs baseUrl={baseUrl} rawKey={made?.rawKey ?? KEY_PLACEHOLDER} />
      </Section>
    </>
  );
}

function NewMasterKey({ onMade }: { readonly onMade: (apiKey: IssuedApiKeyBody) => void }) {
  const provenCall = useProvenCall();
  const hint = 'Only you see it: the program or machine that will use it.';
  return (
    <FieldsForm
      label="A new master key"
      action="Make the master key"
      fields={{ name: { label: 'Name of the key', hint, autocomplete: 'off', start: 'automation' } }}
      byCode={{ limit_reached: 'name' }}
      send={async (values) =>
        onMade((await provenCall<CreatedApiKeyBody>('POST', '/portal/automation-key', values)).apiKey)
      }
    />
  );
}
