import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { SEARCH } from '../../src/pages/market-list-query.ts';
import { findPage, PAGE_NAMES, PAGES, SERVICE_NAME } from '../../src/pages/paths.ts';
import { lazy } from '../base/lazy.tsx';
import { clockWarning } from '../base/service-clock.ts';
import { useSession, useWayBack } from '../data/session/session.tsx';
import { Notice } from '../ui/notice.tsx';

const Menu = lazy(() => import('./menu.tsx'));
const Worth = lazy(() => import('./worth.tsx'), <dl class="worth" />);
const Keys = lazy(() => import('./keys.tsx'));

const [SHORT_NAME, REST_OF_NAME] = [SERVICE_NAME.slice(0, 13), SERVICE_NAME.slice(13)];

export function Navigation() {
  const { info, person } = useSession();
  const [path, navigate] = useLocation();
  const [hasKeys, setHasKeys] = useState(false);
  const menu = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const current = findPage(path)?.name;
  const { signIn, signUp } = useWayBack();
  useEffect(() => menu.current?.hidePopover(), [path, hasKeys, person?.accountId]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      // In an input these keys are text. While a dialog is open, the shortcuts are off.
      if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null) return;
      if (event.key === '?') setHasKeys(true);
      if (event.key !== '/') return;
      event.preventDefault();
      const field = document.querySelector<HTMLElement>('.search input');
      if (field === null) navigate('/', { state: SEARCH });
      else field.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);
  const warning = clockWarning();
  return (
    <header class="masthead">
      <div class="masthead-bar">
        <Link class="brand" href="/">
          {SHORT_NAME}
          <span class="wide">{REST_OF_NAME}</span>
        </Link>
        <nav aria-label="Pages" class="pages">
          {PAGE_NAMES.filter((name) => PAGES[name].isInHead === true).map((name) => (
            <Link key={name} href={PAGES[name].path} aria-current={current === name ? 'page' : undefined}>
              {PAGES[name].title}
            </Link>
          ))}
        </nav>
        <div class="who" aria-busy={info === null} data-waits={info?.needsRecoveryCodes}>
          {person !== null && <Worth key={person.accountId} />}
          {info !== null && person === null && (
            <>
              <a class="button quiet" href={signIn}>
                Sign in
              </a>
              {info.signUp !== 'closed' && (
                <a class="button main" href={signUp}>
                  Sign up
                </a>
              )}
            </>
          )}
          <button type="button" class="button menu-button" popovertarget="menu">
            {person !== null && <span class="name">{person.displayName}</span>}
            <span class="unseen">Menu</span>
            <span aria-hidden="true">☰</span>
          </button>
          <nav
            ref={menu}
            id="menu"
            popover="auto"
            class="menu"
            aria-label="Menu"
            onToggle={({ newState }) => setIsOpen(newState === 'open')}
          >
            {isOpen && <Menu onKeys={() => setHasKeys(true)} />}
          </nav>
        </div>
      </div>
      {info?.insecure === true && (
        <Notice kind="warning">
          This service takes passwords over plain HTTP: whoever is on the network between can read them.
        </Notice>
      )}
      {warning !== null && <Notice kind="warning">{warning}</Notice>}
      {hasKeys && <Keys onClose={() => setHasKeys(false)} />}
    </header>
  );
}
