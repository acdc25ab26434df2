import type { IssuedApiKeyBody, SubAccountBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import { Field } from '../../ui/field.tsx';
import { useProof } from '../../data/session/proof.tsx';
import { Section } from '../../ui/section.tsx';

/** The answer that creates a sub-account. The key's text is in it this once. */
export interface CreatedSubAccount {
  readonly subAccount: SubAccountBody;
  readonly apiKey: IssuedApiKeyBody;
}

/** The most sub-accounts that an account can have, closed ones too. */
const SUB_ACCOUNTS_MAX = 50;

export interface NewSubAccountProps {
  /** The number of sub-accounts that there are. */
  readonly count: number;
  readonly onMade: (made: CreatedSubAccount) => void;
}

/** Opens a sub-account, which comes with a first key. */
export function NewSubAccount({ count, onMade }: NewSubAccountProps) {
  const withProof = useProof();
  const idempotency = useIdempotencyKey();
  const [displayName, setDisplayName] = useState('');
  const submission = useSubmission({
    fields: ['displayName'],
    byCode: { limit_reached: 'displayName', name_taken: 'displayName' },
    send: async () => {
      const idempotencyKey = idempotency.keyOf(displayName);
      const made = await withProof(() =>
        portalCall<CreatedSubAccount>('POST', '/portal/sub-accounts', { displayName }, { idempotencyKey }),
      );
      idempotency.settle();
      setDisplayName('');
      onMade(made);
    },
  });
  return (
    <Section title="Sub-accounts">
      <p class="quiet">
        You have {count} of {SUB_ACCOUNTS_MAX}. Each begins with $10,000 of simulated money of its own, which cannot be
        moved to another account.
      </p>
      <Form label="A new sub-account" submission={submission} action="Create the sub-account">
        <Field
          label="Display name"
          hint="Public, as yours is. Its first key may view and trade."
          autocomplete="off"
          required
          value={displayName}
          onValue={setDisplayName}
          error={submission.errors.displayName}
        />
      </Form>
    </Section>
  );
}
