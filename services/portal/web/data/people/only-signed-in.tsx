import type { ComponentChildren } from 'preact';
import type { Person, SessionInfo } from '../session/session.tsx';
import { useSession } from '../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface OnlySignedInProps {
  /** The page for a person who is signed in. */
  readonly children: (person: Person, info: SessionInfo) => ComponentChildren;
}

/** Shows a page to people who are signed in, and leads others to the sign-in and back. */
export function OnlySignedIn({ children }: OnlySignedInProps) {
  const { info, person, error } = useSession();
  if (info === null) {
    return error === null ? <p class="quiet">Loading …</p> : <Notice kind="error">{error.message}</Notice>;
  }
  if (person === null) {
    const next = encodeURIComponent(location.pathname);
    return (
      <p>
        This page is for people who are signed in. <a href={`/sign-in?next=${next}`}>Sign in</a>
        {info.signUp !== 'closed' && (
          <>
            {' '}
            or <a href="/sign-up">sign up</a>
          </>
        )}
        .
      </p>
    );
  }
  return <>{children(person, info)}</>;
}
