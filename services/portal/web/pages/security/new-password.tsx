import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { FoldForm } from '../../ui/fields-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useProof } from '../../data/session/proof.tsx';
import { Section } from '../../ui/section.tsx';

type NewPasswordProps = Readonly<{ hasPassword: boolean; onChange: () => void }>;

export function NewPassword({ hasPassword, onChange }: NewPasswordProps) {
  const withProof = useProof();
  const [changes, setChanges] = useState(0);
  return (
    <Section title="Password">
      <p class="quiet">
        {hasPassword ? 'You have a password.' : 'You have no password.'} When you set a new one, all your other sessions
        end.
      </p>
      <FoldForm
        key={changes}
        title={hasPassword ? 'Change the password' : 'Set a password'}
        label="Set a new password"
        action="Set the password"
        fields={{ password: { label: 'New password', purpose: 'new', hint: 'At least 10 characters.' } }}
        send={async (values) => {
          await withProof(() => portalCall('POST', '/portal/password', values));
          setChanges(changes + 1);
          onChange();
        }}
      />
      {changes > 0 && <Notice kind="success">Your new password is set.</Notice>}
    </Section>
  );
}
