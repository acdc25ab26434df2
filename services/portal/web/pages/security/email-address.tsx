import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { useSession } from '../../data/session/session.tsx';
import { useChange } from '../../data/people/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { FoldForm } from '../../ui/fields-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useProof } from '../../data/session/proof.tsx';
import { Section } from '../../ui/section.tsx';

export function EmailAddress({ email, onChange }: { readonly email: string | null; readonly onChange: () => void }) {
  const withProof = useProof();
  const { refresh } = useSession();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const removal = useChange(() => {
    onChange();
    void refresh();
  });
  return (
    <Section title="E-mail address">
      <p class="quiet">{email === null ? 'No address is confirmed.' : `Confirmed: ${email}`}</p>
      <FoldForm
        key={sentTo}
        title="Change the e-mail address"

        action="Send a link to confirm it"
        fields={{ email: { label: 'New e-mail address', type: 'email', autocomplete: 'email' } }}
        send={async (values) => {
          await withProof(() => portalCall('POST', '/portal/email', values));
          setSentTo(values.email);
        }}
      />
      {email !== null && (
        <div class="actions">
          <Button
            isBusy={removal.busy !== null}
            onClick={() => removal.run('email', () => portalCall('DELETE', '/portal/email'))}
          >
            Remove the present address
          </Button>
        </div>
      )}
      {removal.failure !== null && <Notice kind="error">{removal.failure}</Notice>}
      {sentTo !== null && (
        <Notice kind="success">A link was sent to {sentTo}. The address changes when you open it.</Notice>
      )}
    </Section>
  );
}
