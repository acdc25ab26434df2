import type { AccountEventBody } from '@paper/contracts/accounts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CONNECTING, withState } from '../../live/live-state.ts';
import type { LiveState } from '../../live/live-state.ts';
import { watchLive } from '../../live/watch-live.ts';
import { useSession } from './session.tsx';

/** The shortest time between two reads of a page after account events. */
const VERSION_MS = 250;

export interface LiveAccount {
  readonly state: LiveState;
  /**
   * A number that changes after events of the account, at most four times a second, and when events may be missing.
   * Passed to `useRead` as `version`, it makes the page read again.
   */
  readonly version: number;
}

/**
 * Follows the account of the person who is signed in.
 * @param listener called with the events; with `isGap` earlier events may be missing, so the listener must read
 * everything again
 */
export function useAccount(listener?: (events: readonly AccountEventBody[], isGap: boolean) => void): LiveAccount {
  const accountId = useSession().person?.accountId ?? null;
  const [account, setAccount] = useState<LiveAccount>({ state: CONNECTING, version: 0 });
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => {
    if (accountId === null) return undefined;
    let timer = 0;
    const stop = watchLive({
      follows: { accountId },
      onState: (state) => setAccount((before) => withState(before, state)),
      onAccount: (events, isGap) => {
        newest.current?.(events, isGap);
        if (timer !== 0) return;
        timer = window.setTimeout(() => {
          timer = 0;
          setAccount(({ state, version }) => ({ state, version: version + 1 }));
        }, VERSION_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [accountId]);
  return account;
}
