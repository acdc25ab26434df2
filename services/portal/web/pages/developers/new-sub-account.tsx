import type { IssuedApiKeyBody, SubAccountBody } from '@paper/contracts/accounts';
import { useProvenCall } from '../../data/session/use-proven-call.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { Section } from '../../ui/section.tsx';

/** Closed sub-accounts count too. */
const SUB_ACCOUNTS_MAX = 50;

export interface NewSubAccountProps {
  readonly count: number;
  /** Only this answer contains the text of the key. */
  readonly onMade: (made: { readonly subAccount: SubAccountBody; readonly apiKey: IssuedApiKeyBody }) => void;
}

export function NewSubAccount({ count, onMade }: NewSubAccountProps) {
  const provenCall = useProvenCall();
  const hint = 'Public, as yours is. Its first key may view and trade.';
  return (
    <Section title="Sub-accounts">
      <p class="quiet">
        You have {count} of {SUB_ACCOUNTS_MAX}. Each begins with $10,000 of simulated money of its own, which cannot be
        moved to another account.
      </p>
      <FieldsForm
        label="A new sub-account"
        action="Create the sub-account"
        fields={{ displayName: { label: 'Display name', hint, autocomplete: 'off' } }}
        byCode={{ limit_reached: 'displayName', name_taken: 'displayName' }}
        send={async (values) => onMade(await provenCall('POST', '/portal/sub-accounts', values))}
      />
    </Section>
  );
}
