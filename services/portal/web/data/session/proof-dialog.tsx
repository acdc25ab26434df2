import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { portalCall } from '../api/calls.ts';
import { answerPasskey } from '../api/passkeys.ts';
import { useSession } from './session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Asks the person to prove their identity again. */
export default function ProofDialog({ onEnd }: { readonly onEnd: (proven: boolean) => void }) {
  const { info } = useSession();
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<{ readonly of: 'password' | 'passkey'; readonly text: string } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const prove = async (by: 'password' | 'passkey'): Promise<void> => {
    setIsBusy(true);
    setFailure(null);
    try {
      if (by === 'password') await portalCall('POST', '/portal/prove', { password });
      else await answerPasskey('prove');
      onEnd(true);
    } catch (error) {
      setFailure({ of: by, text: toCallError(error).message });
      setIsBusy(false);
    }
  };
  return (
    <Dialog title="Is it you?" onClose={() => onEnd(false)}>
      <p>This change needs your password or passkey again. The proof then lasts five minutes.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void prove('password');
        }}
      >
        <Field
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onValue={setPassword}
          error={failure?.of === 'password' ? failure.text : null}
        />
        {failure?.of === 'passkey' && <Notice kind="error">{failure.text}</Notice>}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            Continue
          </Button>
          {info?.passkeysEnabled === true && (
            <Button isBusy={isBusy} onClick={() => void prove('passkey')}>
              Use a passkey
            </Button>
          )}
          <Button kind="quiet" onClick={() => onEnd(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
