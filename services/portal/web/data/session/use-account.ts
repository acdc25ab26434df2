import type { PortfolioBody } from '@paper/contracts/portfolio';
import { useEffect, useState } from 'preact/hooks';
import { CONNECTING, withState } from '../../live/live-state.ts';
import type { LiveState } from '../../live/live-state.ts';
import { watchLive } from '../../live/watch-live.ts';
import { useRead } from '../api/use-read.ts';
import type { Read, UseReadOptions } from '../api/use-read.ts';
import { useSession } from './session.tsx';

const VERSION_MS = 250;

export interface LiveAccount {
  readonly state: LiveState;
  /** Changes after events of the account, at most four times a second, and when events may be missing. */
  readonly version: number;
}

export function useAccount(): LiveAccount {
  const accountId = useSession().person?.accountId ?? null;
  const [account, setAccount] = useState<LiveAccount>({ state: CONNECTING, version: 0 });
  useEffect(() => {
    if (accountId === null) return undefined;
    let timer = 0;
    const stop = watchLive({
      follows: { accountId },
      onState: (state) => setAccount((before) => withState(before, state)),
      onAccount: () => {
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

/** Reads the signed-in person's portfolio: all positions and open orders, and the newest ended ones. */
export function useOwnPortfolio(isRead = true, options: UseReadOptions = {}): Read<PortfolioBody> {
  return useRead(isRead ? '/portal/as/me/portfolio' : null, options);
}
