import type { ApiKeyBody, MandateBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { portalCall } from '../api/calls.ts';
import { Form, useSubmission } from '../../ui/form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useProof } from '../session/proof.tsx';
import { fieldsOf, MANDATE_FIELDS, readMandate } from './mandate-form.ts';
import { MandateInputs } from './mandate-inputs.tsx';

type MandateDialogProps = Readonly<{ apiKey: ApiKeyBody; onClose: () => void; onChanged: () => void }>;

export function MandateDialog({ apiKey, onClose, onChanged }: MandateDialogProps) {
  const withProof = useProof();
  const [fields, setFields] = useState(() => fieldsOf(apiKey.mandate ?? {}));
  const save = async (limits: MandateBody | null): Promise<void> => {
    await withProof(() => portalCall('PUT', `/portal/keys/${encodeURIComponent(apiKey.id)}/mandate`, limits));
    onChanged();
  };
  const { errors, mandate } = readMandate(fields);
  const submission = useSubmission({ fields: MANDATE_FIELDS, check: () => errors, send: () => save(mandate) });
  return (
    <Dialog title={`Limits of the key “${apiKey.name}”`} onClose={onClose}>
      <p class="quiet">
        The exchange holds the key to them, whatever program uses it. A key with limits, even with none filled in,
        cannot make keys, sub-accounts or limits.
      </p>
      <Form
        label="Limits"
        submission={submission}
        action="Save the limits"
        alternative={apiKey.mandate === null ? null : { action: 'Remove all limits', send: () => save(null) }}
        onCancel={onClose}
      >
        <MandateInputs fields={fields} onFields={setFields} errors={submission.errors} />
      </Form>
    </Dialog>
  );
}
