import type { CreatedApiKeyBody, IssuedApiKeyBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { useProvenCall } from '../session/use-proven-call.ts';
import { MANDATE_FIELDS, NO_LIMITS, readMandate } from './mandate-form.ts';
import { MandateInputs } from './mandate-inputs.tsx';

export interface NewKeyDialogProps {
  readonly accountId: string;
  readonly accountName: string;
  readonly onClose: () => void;
  readonly onMade: (apiKey: IssuedApiKeyBody) => void;
}

const PERMISSIONS = [
  { value: 'view', text: 'view: read the portfolio, orders and positions' },
  { value: 'trade', text: 'trade: place, amend and cancel orders' },
  { value: 'reconcile', text: 'reconcile: read the ledger' },
] as const;

type Permission = (typeof PERMISSIONS)[number]['value'];

/** Makes a key of an account, with permissions and optional limits; master keys have a page of their own. */
export function NewKeyDialog({ accountId, accountName, onClose, onMade }: NewKeyDialogProps) {
  const provenCall = useProvenCall();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>(['view', 'trade']);
  const [isLimited, setIsLimited] = useState(false);
  const [limits, setLimits] = useState(NO_LIMITS);
  const submission = useSubmission({
    fields: ['name', 'permissions', ...MANDATE_FIELDS],
    byCode: { limit_reached: 'name' },
    check: () => {
      const read = isLimited ? readMandate(limits) : null;
      return read !== null && 'errors' in read ? read.errors : {};
    },
    send: async () => {
      const read = isLimited ? readMandate(limits) : null;
      const body = { name, permissions, ...(read !== null && 'mandate' in read ? { mandate: read.mandate } : {}) };
      const path = `/portal/sub-accounts/${encodeURIComponent(accountId)}/keys` as const;
      onMade((await provenCall<CreatedApiKeyBody>('POST', path, body)).apiKey);
    },
  });
  const { errors } = submission;
  return (
    <Dialog title={`A new key of ${accountName}`} onClose={onClose}>
      <Form
        label="A new key"
        submission={submission}
        action="Make the key"
        more={
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Field
          label="Name of the key"
          hint="Only you see it."
          autocomplete="off"
          required
          value={name}
          onValue={setName}
          error={errors.name}
        />
        <Permissions permissions={permissions} onPermissions={setPermissions} error={errors.permissions} />
        <label class="check">
          <input
            type="checkbox"
            checked={isLimited}
            onChange={({ currentTarget }) => setIsLimited(currentTarget.checked)}
          />
          Limit what it may spend and hold
        </label>
        {isLimited && <MandateInputs fields={limits} onFields={setLimits} errors={errors} />}
      </Form>
    </Dialog>
  );
}

interface PermissionsProps {
  readonly permissions: readonly Permission[];
  readonly onPermissions: (permissions: readonly Permission[]) => void;
  readonly error: string | undefined;
}

function Permissions({ permissions, onPermissions, error }: PermissionsProps) {
  const toggle = (value: Permission, isOn: boolean): void => {
    const all = PERMISSIONS.map((each) => each.value);
    onPermissions(all.filter((each) => (each === value ? isOn : permissions.includes(each))));
  };
  return (
    <fieldset class="choices">
      <legend>The key may</legend>
      {PERMISSIONS.map(({ value, text }) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            checked={permissions.includes(value)}
            onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
          />
          {text}
        </label>
      ))}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
