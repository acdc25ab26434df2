import type { ComponentChildren } from 'preact';
import type { Person, SessionInfo } from '../session/session.tsx';
import { useSession, useWayBack } from '../session/session.tsx';
import { CodesReminder } from './store-codes.tsx';
import { ReadNotice } from '../../ui/notice.tsx';

type OnlySignedInProps = Readonly<{ children: (person: Person, info: SessionInfo) => ComponentChildren }>;

/** Shows the children to signed-in people, and links to sign in or sign up to others. */
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
