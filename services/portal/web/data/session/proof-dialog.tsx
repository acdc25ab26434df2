import { Dialog } from '../../ui/dialog.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { portalCall } from '../api/calls.ts';
import { answerPasskey } from '../api/passkeys.ts';
import { useSession } from './session.tsx';

export default function ProofDialog({ onEnd }: { readonly onEnd: (proven: boolean) => void }) {
  const { info } = useSession();
  const byPasskey = async (): Promise<void> => {
    await answerPasskey('prove');
    onEnd(true);
  };
  return (
    <Dialog title="Is it you?" onClose={() => onEnd(false)}>
      <p>This change needs your password or passkey again. The proof then lasts five minutes.</p>
      <FieldsForm
        action="Continue"
        fields={{ password: { label: 'Password', type: 'password', autocomplete: 'current-password' } }}
        byCode={{ wrong_credentials: 'password' }}
        check={({ password }) => (password === '' ? { password: 'Type your password.' } : {})}
        send={async (values) => {
          await portalCall('POST', '/portal/prove', values);
          onEnd(true);
        }}
        alternative={info?.passkeysEnabled === true ? { action: 'Use a passkey', send: byPasskey } : null}
        onCancel={() => onEnd(false)}
      />
    </Dialog>
  );
}
