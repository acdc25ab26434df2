import type { AccountEventBody } from '@paper/contracts/accounts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CONNECTING, withState } from '../../live/live-state.ts';
import type { LiveState } from '../../live/live-state.ts';
import { watchLive } from '../../live/watch-live.ts';
import { useSession } from './session.tsx';

const VERSION_MS = 250;

export interface LiveAccount {
  readonly state: LiveState;
  /**
   * Changes after events of the account, at most four times a second, and when events may be missing: for `useRead`.
   */
  readonly version: number;
}

/**
 * Follows the account of the signed-in person. `isGap`: earlier events may be missing, so everything must be read
 * again.
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
