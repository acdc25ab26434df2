import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import type { Recovered } from '../../data/people/answers.ts';

export interface LinkFormProps {
  readonly token: string;
  readonly onRecovered: (recovered: Recovered) => void;
}

/** Sets a new password by the link of an e-mail, which is used up. */
export function LinkForm({ token, onRecovered }: LinkFormProps) {
  const [password, setPassword] = useState('');
  const submission = useSubmission({
    fields: ['password'],
    send: async () => onRecovered(await portalCall<Recovered>('POST', '/portal/recover/link', { token, password })),
  });
  return (
    <Form label="Recover by the link" submission={submission} action="Set the new password">
      <PasswordField
        label="New password"
        purpose="new"
        hint="At least 10 characters. All your sessions end, and you are signed in here."
        value={password}
        onValue={setPassword}
        error={submission.errors.password}
      />
    </Form>
  );
}
