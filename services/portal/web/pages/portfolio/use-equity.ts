import type { TraderBody } from '@paper/contracts/accounts';
import { useEffect, useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import type { CallError } from '../../base/call-error.ts';
import { noteOf } from '../../base/notes.ts';
import { serviceNowMs } from '../../base/service-clock.ts';
import type { ValuePoint } from '../../ui/value-chart.tsx';
import { apiGet, isAbort } from '../../data/api/calls.ts';
import { useRead, whenVisible } from '../../data/api/use-read.ts';
import { pointsOf, sumEquity } from './equity.ts';

const EVERY_MS = 60_000;
const RETRY_MS = 5_000;
const NO_POINTS: readonly ValuePoint[] = [];

type Equity = Readonly<{ points: readonly ValuePoint[]; error: CallError | null }>;

/** The path of an account's equity since a time; null: since its opening. */
function pathOf(accountId: string, fromMs: number | null): string {
  const from = fromMs === null ? '' : `?from=${new Date(fromMs).toISOString()}`;
  return `/api/traders/${encodeURIComponent(accountId)}${from}`;
}

/** The combined equity of accounts over `spanMs` (null: since their openings). It is not read before `isReady`. */
export function useEquity(accountIds: readonly string[], spanMs: number | null, isReady: boolean): Equity {
  const [state, setState] = useState<Equity & { readonly of: string }>({ points: NO_POINTS, error: null, of: '' });
  const of = `${accountIds.join()} ${spanMs ?? ''}`;
  useEffect(() => {
    if (!isReady) return undefined;
    const aborting = new AbortController();
    const read = async (): Promise<void> => {
      let nextMs = EVERY_MS;
      const fromMs = spanMs === null ? null : serviceNowMs() - spanMs;
      try {
        const answers = await Promise.all(
          accountIds.map((id) => apiGet<TraderBody>(pathOf(id, fromMs), { signal: aborting.signal })),
        );
        setState({ points: sumEquity(answers.map(({ body }) => pointsOf(body))), error: null, of });
      } catch (failed) {
        if (isAbort(failed)) return;
        const error = toCallError(failed);
        setState((before) => ({ ...before, error, of }));
        if (error.isTransient) nextMs = error.retryAfterMs ?? RETRY_MS;
      }
      whenVisible(nextMs, () => void read(), aborting.signal);
    };
    void read();
    return () => aborting.abort();
  }, [of, isReady]);
  // The points of other accounts or of another time must not be shown for these.
  return state.of === of ? state : { points: NO_POINTS, error: null };
}

/** The account's value at the start of the person's day; null if unknown, undefined before it was read. */
export function useDayStart(accountId: string): number | null | undefined {
  const now = new Date(serviceNowMs());
  const startMs = noteOf('times') === 'utc' ? now.setUTCHours(0, 0, 0, 0) : now.setHours(0, 0, 0, 0);
  const { data, isLoading } = useRead<TraderBody>(pathOf(accountId, startMs));
  return isLoading ? undefined : (data?.equity[0]?.value ?? null);
}
