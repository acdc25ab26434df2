import { useState } from 'preact/hooks';
import { portalCall } from '../api/calls.ts';
import { useSession } from '../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useChange } from './use-change.ts';

/** A button that replaces all recovery codes by ten new ones, and shows these until the person has stored them. */
export function StoreCodes({ action, onChange }: { readonly action: string; readonly onChange?: () => void }) {
  const { refresh } = useSession();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { busy, failure, run } = useChange(() => onChange?.());
  const make = async (): Promise<void> => {
    const made = await portalCall<{ readonly recoveryCodes: readonly string[] }>('POST', '/portal/recovery-codes');
    setCodes(made.recoveryCodes);
  };
  return (
    <>
      <Button isBusy={busy !== null} onClick={() => run('codes', make)}>
        {action}
      </Button>
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      {codes !== null && (
        <Dialog
          title="Your recovery codes"
          onClose={() => {
            setCodes(null);
            void refresh();
          }}
        >
          <RecoveryCodes
            codes={codes}
            onStored={() => {
              setCodes(null);
              onChange?.();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

export function CodesReminder() {
  const { info } = useSession();
  if (info?.needsRecoveryCodes !== true) return null;
  return (
    <Notice kind="warning">
      Nothing lets you back in yet, if you lose your devices or forget your password.{' '}
      <StoreCodes action="Store recovery codes" />
    </Notice>
  );
}
