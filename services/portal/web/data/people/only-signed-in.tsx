import type { ComponentChildren } from 'preact';
import type { Person, SessionInfo } from '../session/session.tsx';
import { useSession, useWayBack } from '../session/session.tsx';
import { CodesReminder } from './store-codes.tsx';
import { ReadNotice } from '../../ui/notice.tsx';

export interface OnlySignedInProps {
  readonly children: (person: Person, info: SessionInfo) => ComponentChildren;
}

/** Shows a page to people who are signed in, and the way to sign in and back to others. */
export function OnlySignedIn({ children }: OnlySignedInProps) {
  const { info, person, error } = useSession();
  const { signIn, signUp } = useWayBack();
  if (info === null) return <ReadNotice data={info} error={error} />;
  if (person === null) {
    return (
      <p>
        This page is for people who are signed in. <a href={signIn}>Sign in</a>
        {info.signUp !== 'closed' && (
          <>
            {' '}
            or <a href={signUp}>sign up</a>
          </>
        )}
        .
      </p>
    );
  }
  return (
    <>
      <CodesReminder />
      {children(person, info)}
    </>
  );
}
