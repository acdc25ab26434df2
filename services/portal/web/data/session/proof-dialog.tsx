import { portalCall } from '../api/calls.ts';
import { answerPasskey } from '../api/passkeys.ts';
import { useSession } from './session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSubmission } from '../../ui/use-submission.ts';

const FIELDS = { password: { label: 'Password', type: 'password', autocomplete: 'current-password' } } as const;

/** Asks the person to prove themselves again. `onEnd` gets whether they did. */
export default function ProofDialog({ onEnd }: { readonly onEnd: (proven: boolean) => void }) {
  const { info } = useSession();
  const byPasskey = useSubmission({
    fields: [],
    send: async () => {
      await answerPasskey('prove');
      onEnd(true);
    },
  });
  return (
    <Dialog title="Is it you?" onClose={() => onEnd(false)}>
      <p>This change needs your password or passkey again. The proof then lasts five minutes.</p>
      {byPasskey.failure !== null && <Notice kind="error">{byPasskey.failure}</Notice>}
      <FieldsForm
        label="Is it you?"
        action="Continue"
        fields={FIELDS}
        byCode={{ wrong_credentials: 'password' }}
        check={({ password }) => (password === '' ? { password: 'Type your password.' } : {})}
        send={async (values) => {
          await portalCall('POST', '/portal/prove', values);
          onEnd(true);
        }}
        more={
          <>
            {info?.passkeysEnabled === true && (
              <Button isBusy={byPasskey.isBusy} onClick={byPasskey.submit}>
                Use a passkey
              </Button>
            )}
            <Button kind="quiet" onClick={() => onEnd(false)}>
              Cancel
            </Button>
          </>
        }
      />
    </Dialog>
  );
}
