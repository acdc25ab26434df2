import { useLocation, useSearch } from 'wouter-preact';
import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { REFUSED, sessionRefusals, toCallError } from '../../base/call-error.ts';
import type { CallError } from '../../base/call-error.ts';
import { compareClocks } from '../../base/service-clock.ts';
import { portalCall, portalSend } from '../api/calls.ts';
import { loadStyles } from '../../base/more-styles.ts';

export interface Person {
  readonly signInName: string;
  readonly displayName: string;
  readonly accountId: string;
  readonly email: string | null;
  /** Until this time changes that need proof are accepted without another proof. */
  readonly provenUntil: string | null;
}

/** The answer of `GET /portal/session`. */
export interface SessionInfo {
  readonly signUp: 'open' | 'invite' | 'closed';
  readonly emailEnabled: boolean;
  readonly passkeysEnabled: boolean;
  readonly companyName: string | null;
  readonly publicUrl: string;
  /** Whether people sign in over plain HTTP, which an operator allowed. */
  readonly insecure: boolean;
  /** Why nobody can sign in at this address; null if people can. */
  readonly reason: string | null;
  readonly newSignIn: { readonly id: string; readonly createdAt: string; readonly device: string } | null;
  /** Whether the person lacks a valid recovery code that they stored. */
  readonly needsRecoveryCodes: boolean;
  readonly person: Person | null;
}

export interface Session {
  /** Null before the first answer. */
  readonly info: SessionInfo | null;
  readonly person: Person | null;
  /** How often a person's session has ended since the page was opened, in any tab. */
  readonly ended: number;
  readonly error: CallError | null;
  /** Reads the session again, in all tabs. To be called after each sign-in. */
  readonly refresh: () => Promise<void>;
  /** Whether the session ended without an action on this page. */
  readonly isLost: boolean;
  /** Ends the session, by `end` if other sessions end too; all tabs delete private data. Throws CallError. */
  readonly signOut: (end?: () => Promise<unknown>) => Promise<void>;
}

type State = Pick<Session, 'info' | 'error' | 'ended' | 'isLost'>;

const SessionContext = createContext<Session | null>(null);
/** Tabs announce on this channel that a person signed in or out. */
const SESSION_CHANNEL = 'paper-session';
const RETRY_MS = 5_000;
const EVERY_MS = 60_000;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession is only for components inside the SessionProvider');
  return session;
}

/** Reads the session at the start, when another tab changed it, after a refusal, and when the tab becomes visible. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [state, setState] = useState<State>({ info: null, error: null, ended: 0, isLost: false });
  const channel = useRef<BroadcastChannel | null>(null);

  const read = useCallback(async (): Promise<CallError | null> => {
    try {
      const { body: info, headers } = await portalSend<SessionInfo>('GET', '/portal/session');
      compareClocks(headers.get('date'));
      // Styles reserve space for what only a signed-in person sees.
      document.documentElement.toggleAttribute('data-session', info.person !== null);
      setState((before) => withInfo(before, info));
      return null;
    } catch (error) {
      const failed = toCallError(error);
      setState((before) => ({ ...before, error: failed }));
      return failed;
    }
  }, []);

  useEffect(() => {
    let timer = 0;
    const readUntilAnswered = async (): Promise<void> => {
      clearTimeout(timer);
      const failed = await read();
      if (failed?.isTransient === true) timer = window.setTimeout(() => void readUntilAnswered(), RETRY_MS);
    };
    const opened = new BroadcastChannel(SESSION_CHANNEL);
    opened.onmessage = () => void readUntilAnswered();
    channel.current = opened;
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void readUntilAnswered();
    };
    const onRefused = (): void => void readUntilAnswered();
    document.addEventListener('visibilitychange', onVisible);
    sessionRefusals.addEventListener(REFUSED, onRefused);
    void readUntilAnswered();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      sessionRefusals.removeEventListener(REFUSED, onRefused);
      opened.close();
    };
  }, [read]);

  const isSignedIn = (state.info?.person ?? null) !== null;
  useEffect(() => {
    if (!isSignedIn) return undefined;
    void loadStyles('moreStyles');
    // An idle page too must notice a sign-in, and an end of the session, elsewhere.
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void read();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isSignedIn, read]);

  useEffect(() => {
    if (state.ended > 0) channel.current?.postMessage('changed');
  }, [state.ended]);

  const session = useMemo((): Session => {
    const person = state.info?.person ?? null;
    const refresh = async (): Promise<void> => {
      await read();
      channel.current?.postMessage('changed');
    };
    const signOut = async (end = (): Promise<unknown> => portalCall('POST', '/portal/sign-out')): Promise<void> => {
      await end();
      setState((before) =>
        before.info === null
          ? before
          : { ...withInfo(before, { ...before.info, needsRecoveryCodes: false, person: null }), isLost: false },
      );
      await refresh();
    };
    return { ...state, person, refresh, signOut };
  }, [state, read]);

  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

function withInfo({ info: before, ended, isLost }: State, info: SessionInfo): State {
  const personBefore = before?.person?.accountId;
  const isOther = personBefore !== undefined && personBefore !== info.person?.accountId;
  const isGone = info.person === null && (isLost || isOther);
  return { info, error: null, ended: isOther ? ended + 1 : ended, isLost: isGone };
}

const ENTRIES = new Set(['/sign-in', '/sign-up']);

/** Links to the sign-in and the sign-up, which return to `to` (default: this page), also by way of each other. */
export function useWayBack(to?: string): { readonly signIn: string; readonly signUp: string } {
  const [path] = useLocation();
  const search = useSearch();
  const here = search === '' ? '' : `?${search}`;
  const back = to ?? path + here;
  const query = ENTRIES.has(path) ? here : back === '/' ? '' : `?next=${encodeURIComponent(back)}`;
  return { signIn: `/sign-in${query}`, signUp: `/sign-up${query}` };
}
