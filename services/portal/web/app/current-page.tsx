import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { findPage, PAGES, SERVICE_NAME } from '../../src/pages/paths.ts';
import type { PageName } from '../../src/pages/paths.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { loadedPage, loadPage } from './page-modules.ts';
import type { PageProps } from '../pages/page-props.ts';
import { lazy } from '../base/lazy.tsx';
import { scrollToPlace } from '../base/returning.ts';
import { useSession, useWayBack } from '../data/session/session.tsx';

const NewSignIn = lazy(() => import('./new-sign-in.tsx'));

export function CurrentPage() {
  const [path] = useLocation();
  const { ended, info, isLost } = useSession();
  const newSignIn = info?.newSignIn ?? null;
  const found = findPage(path);
  usePageChange(path, found?.name ?? null);
  const Page = usePageModule(found?.name ?? null);
  if (found === null) return <NoPage />;
  if (Page === 'failed') return <CannotLoad />;
  if (Page === null) return <p class="quiet">Loading …</p>;
  // When a session ends, its page is removed: nothing that was read for the person stays.
  return (
    <>
      {isLost && found.name !== 'sign-in' && <SessionLost />}
      {newSignIn !== null && <NewSignIn {...newSignIn} />}
      <Page key={`${ended} ${path}`} params={found.params} />
    </>
  );
}

/** The address has the typed values of the order ticket, so they are there again after the sign-in. */
function SessionLost() {
  const { signIn } = useWayBack();
  return (
    <Notice kind="warning">
      You are signed out: your session was ended in another tab or on another device, or its time was over.{' '}
      <a href={signIn}>Sign in again</a>
    </Notice>
  );
}

/** Sets title, scroll position and focus for another page, before that page's effects may set a better title. */
function usePageChange(path: string, name: PageName | null): void {
  const before = useRef(path);
  useLayoutEffect(() => {
    if (before.current === path) return;
    before.current = path;
    document.title = `${name === null ? 'No such page' : PAGES[name].title} – ${SERVICE_NAME}`;
    scrollToPlace();
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path, name]);
}

function usePageModule(name: PageName | null): ComponentType<PageProps> | 'failed' | null {
  const [failed, setFailed] = useState<PageName | null>(null);
  const [, setLoaded] = useState<PageName | null>(null);
  const Page = name === null ? null : loadedPage(name);
  useEffect(() => {
    if (name === null || Page !== null) return;
    loadPage(name).then(
      () => setLoaded(name),
      () => setFailed(name),
    );
  }, [name, Page]);
  return Page ?? (failed !== null && failed === name ? 'failed' : null);
}

function NoPage() {
  return (
    <>
      <h1>No such page</h1>
      <p>
        Nothing is at this address. Go to <a href="/">the markets</a>.
      </p>
    </>
  );
}

function CannotLoad() {
  return (
    <>
      <h1>This page cannot be loaded</h1>
      <Notice kind="error">The service does not answer, or it was updated since this page was opened.</Notice>
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </>
  );
}
