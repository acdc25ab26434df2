import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { SessionInfo } from '../data/session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/figures.tsx';
import { Notice } from '../ui/notice.tsx';

const KNOWN = 'paper-known-sign-in';

/** Reports a sign-in on another device, until the person confirms that it was their own. */
export default function NewSignIn({ id, createdAt, device }: NonNullable<SessionInfo['newSignIn']>) {
  const [known, setKnown] = useState(readKnown);
  if (known === id) return null;
  return (
    <Notice kind="warning">
      You signed in on another device: {device}, <Time at={createdAt} />. If that was not you, end it under{' '}
      <Link href="/account">Account</Link> and change the password.{' '}
      <Button
        onClick={() => {
          setKnown(id);
          try {
            localStorage.setItem(KNOWN, id);
          } catch {
            // The browser allows this site to store nothing: the notice appears again.
          }
        }}
      >
        It was me
      </Button>
    </Notice>
  );
}

function readKnown(): string | null {
  try {
    return localStorage.getItem(KNOWN);
  } catch {
    return null;
  }
}
