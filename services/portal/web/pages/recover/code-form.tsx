import { portalCall } from '../../data/api/calls.ts';
import type { Recovered } from '../../data/people/answers.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { SIGN_IN_NAME } from '../../ui/sign-in-name.ts';

/** Sets a new password by a recovery code. Each code works once. */
export function CodeForm({ onRecovered }: { readonly onRecovered: (recovered: Recovered) => void }) {
  return (
    <FieldsForm
      label="Recover with a code"
      action="Set the new password"
      fields={{
        name: SIGN_IN_NAME,
        code: {
          label: 'Recovery code',
          hint: 'One of the ten that you stored. It is used up by this.',
          class: 'code',
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
        },
        password: { label: 'New password', purpose: 'new', hint: 'At least 10 characters.' },
      }}
      byCode={{ wrong_credentials: 'code' }}
      send={async (values) => onRecovered(await portalCall<Recovered>('POST', '/portal/recover', values))}
    />
  );
}
