import type { CreatedApiKeyBody, IssuedApiKeyBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { Check } from '../../ui/check.tsx';
import { Form, useSubmission } from '../../ui/form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { useProvenCall } from '../session/use-proven-call.ts';
import { fieldsOf, MANDATE_FIELDS, readMandate } from './mandate-form.ts';
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

/** Makes a key of an account, with permissions and optional limits. Master keys are made on the page Developers. */
export function NewKeyDialog({ accountId, accountName, onClose, onMade }: NewKeyDialogProps) {
  const provenCall = useProvenCall();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>(['view', 'trade']);
  const [isLimited, setIsLimited] = useState(false);
  const [limits, setLimits] = useState(() => fieldsOf({}));
  const { errors, mandate } = readMandate(limits);
  const submission = useSubmission({
    fields: ['name', 'permissions', ...MANDATE_FIELDS],
    byCode: { limit_reached: 'name' },
    check: () => (isLimited ? errors : {}),
    send: async () => {
      const body = { name, permissions, ...(isLimited && { mandate }) };
      const path = `/portal/sub-accounts/${encodeURIComponent(accountId)}/keys` as const;
      onMade((await provenCall<CreatedApiKeyBody>('POST', path, body)).apiKey);
    },
  });
  return (
    <Dialog title={`A new key of ${accountName}`} onClose={onClose}>
      <Form label="A new key" submission={submission} action="Make the key" onCancel={onClose}>
        <Field
          label="Name of the key"
          hint="Only you see it."
          autocomplete="off"
          required
          value={name}
          onValue={setName}
          error={submission.errors.name}
        />
        <Permissions permissions={permissions} onPermissions={setPermissions} error={submission.errors.permissions} />
        <Check isOn={isLimited} onChange={setIsLimited}>
          Limit what it may spend and hold
        </Check>
        {isLimited && <MandateInputs fields={limits} onFields={setLimits} errors={submission.errors} />}
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
        <Check key={value} isOn={permissions.includes(value)} onChange={(isOn) => toggle(value, isOn)}>
          {text}
        </Check>
      ))}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
