import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { Fold } from '../../ui/fold.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Notice } from '../../ui/notice.tsx';
import { useProof } from '../../data/session/proof.tsx';
import { Section } from '../../ui/section.tsx';

export interface NewPasswordProps {
  readonly hasPassword: boolean;
  readonly onChange: () => void;
}

/** Sets a new password, or the first one of a person who has a passkey. */
export function NewPassword({ hasPassword, onChange }: NewPasswordProps) {
  const withProof = useProof();
  const [password, setPassword] = useState('');
  const [changes, setChanges] = useState(0);
  const submission = useSubmission({
    fields: ['password'],
    send: async () => {
      await withProof(() => portalCall('POST', '/portal/password', { password }));
      setPassword('');
      setChanges(changes + 1);
      onChange();
    },
  });
  return (
    <Section title="Password">
      <p class="quiet">
        {hasPassword ? 'You have a password.' : 'You have no password.'} When you set a new one, all your other sessions
        end.
      </p>
      <Fold key={changes} title={hasPassword ? 'Change the password' : 'Set a password'}>
        <Form label="Set a new password" submission={submission} action="Set the password" kind="plain">
          <PasswordField
            label="New password"
            purpose="new"
            hint="At least 10 characters."
            value={password}
            onValue={setPassword}
            error={submission.errors.password}
          />
        </Form>
      </Fold>
      {changes > 0 && <Notice kind="success">Your new password is set.</Notice>}
    </Section>
  );
}
