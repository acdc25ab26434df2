import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { toCallError } from '../base/call-error.ts';
import { findPage, PAGE_NAMES, PAGES, SERVICE_NAME } from '../../src/pages/paths.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useOperatorSignedIn } from '../data/session/operator-here.ts';
import { useSession } from '../data/session/session.tsx';

/** The service's name, links to the pages, and who is signed in. */
export function Navigation() {
  const { info, person } = useSession();
  const [path] = useLocation();
  const isOperatorHere = useOperatorSignedIn();
  const current = findPage(path)?.name;
  const isFor = { everyone: true, 'signed in': person !== null, operators: isOperatorHere };
  const entries = PAGE_NAMES.flatMap((name) => {
    const { path: to, navigation } = PAGES[name];
    if (navigation === null || !isFor[navigation.for]) return [];
    return [{ name, to, label: navigation.label }];
  });
  return (
    <header class="masthead">
      <div class="masthead-bar">
        <Link class="brand" href="/">
          {SERVICE_NAME}
        </Link>
        <nav aria-label="Pages" class="pages">
          {entries.map(({ name, to, label }) => (
            <Link key={name} href={to} aria-current={current === name ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <SignedIn />
      </div>
      {info?.insecure === true && (
        <Notice kind="warning">
          This service takes passwords over plain HTTP: whoever is on the network between can read them.
        </Notice>
      )}
    </header>
  );
}

/** Links to sign in, or the person and a button to sign out. Its size is reserved before the session is known. */
function SignedIn() {
  const { info, person, signOut } = useSession();
  const [failure, setFailure] = useState<string | null>(null);
  if (info === null) return <div class="who" aria-busy="true" />;
  if (person === null) {
    return (
      <div class="who">
        <a href="/sign-in">Sign in</a>
        {info.signUp !== 'closed' && <a href="/sign-up">Sign up</a>}
      </div>
    );
  }
  const onSignOut = (): void => {
    setFailure(null);
    signOut().catch((error: unknown) => setFailure(toCallError(error).message));
  };
  return (
    <div class="who">
      <a class="person" href="/security">
        {person.displayName}
      </a>
      <Button kind="quiet" onClick={onSignOut}>
        Sign out
      </Button>
      {failure !== null && <Notice kind="error">{failure}</Notice>}
    </div>
  );
}
