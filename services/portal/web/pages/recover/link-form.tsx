import { portalCall } from '../../data/api/calls.ts';
import type { Recovered } from '../../data/people/answers.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';

export interface LinkFormProps {
  readonly token: string;
  readonly onRecovered: (recovered: Recovered) => void;
}

/** Sets a new password by the link of an e-mail. Each link works once. */
export function LinkForm({ token, onRecovered }: LinkFormProps) {
  const hint = 'At least 10 characters. All your sessions end, and you are signed in here.';
  return (
    <FieldsForm
      label="Recover by the link"
      action="Set the new password"
      fields={{ password: { label: 'New password', purpose: 'new', hint } }}
      send={async ({ password }) =>
        onRecovered(await portalCall<Recovered>('POST', '/portal/recover/link', { token, password }))
      }
    />
  );
}
