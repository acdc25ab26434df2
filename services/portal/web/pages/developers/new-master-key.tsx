import type { CreatedApiKeyBody, IssuedApiKeyBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import { Field } from '../../ui/field.tsx';
import { useProof } from '../../data/session/proof.tsx';

/** Makes a master key: master, trade and view, of the main account. */
export function NewMasterKey({ onMade }: { readonly onMade: (apiKey: IssuedApiKeyBody) => void }) {
  const withProof = useProof();
  const idempotency = useIdempotencyKey();
  const [name, setName] = useState('automation');
  const submission = useSubmission({
    fields: ['name'],
    byCode: { limit_reached: 'name' },
    send: async () => {
      const idempotencyKey = idempotency.keyOf(name);
      const { apiKey } = await withProof(() =>
        portalCall<CreatedApiKeyBody>('POST', '/portal/automation-key', { name }, { idempotencyKey }),
      );
      idempotency.settle();
      onMade(apiKey);
    },
  });
  return (
    <Form label="A new master key" submission={submission} action="Make the master key">
      <Field
        label="Name of the key"
        hint="Only you see it: the program or machine that will use it."
        autocomplete="off"
        required
        value={name}
        onValue={setName}
        error={submission.errors.name}
      />
    </Form>
  );
}
