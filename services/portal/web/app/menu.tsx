import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { toCallError } from '../base/call-error.ts';
import { useOperatorSignedIn } from '../data/session/operator-here.ts';
import { useSession, useWayBack } from '../data/session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { NoteChoice } from '../ui/note-choices.tsx';
import Worth from './worth.tsx';

export default function Menu({ onKeys }: { readonly onKeys: () => void }) {
  const { info, person, signOut } = useSession();
  const { signIn } = useWayBack();
  const isOperatorHere = useOperatorSignedIn();
  // The header is too narrow for the cash; styles/layout.css has the same limit.
  const isPhone = window.matchMedia('(max-width: 29.99rem)').matches;
  const [failure, setFailure] = useState<string | null>(null);
  const onSignOut = (): void => {
    setFailure(null);
    signOut().catch((error: unknown) => setFailure(toCallError(error).message));
  };
  return (
    <>
      {person !== null && (
        <>
          {isPhone && <Worth />}
          <Link href="/developers">Developers</Link>
          <Link href="/backtests">Backtests</Link>
          <Link href="/account">Account</Link>
        </>
      )}
      {info?.needsRecoveryCodes === true && <Link href="/account">Store your recovery codes</Link>}
      {person === null && <a href={signIn}>Sign in</a>}
      {isOperatorHere && <Link href="/operators">Operators</Link>}
      <Link href="/help">How it works</Link>
      <a href="/api/docs">API reference</a>
      <button type="button" onClick={onKeys}>
        Keys of the keyboard
      </button>
      <NoteChoice of="theme" />
      {person !== null && <Button onClick={onSignOut}>Sign out</Button>}
      {failure !== null && <Notice kind="error">{failure}</Notice>}
    </>
  );
}
