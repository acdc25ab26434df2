import type { TraderBody } from '@paper/contracts/accounts';
import type { ReadAnswer } from '../../../src/pages/read-answer.ts';
import type { CallError } from '../../base/call-error.ts';
import { noteOf } from '../../base/notes.ts';
import { serviceNowMs } from '../../base/service-clock.ts';
import type { ValuePoint } from '../../ui/value-chart.tsx';
import { apiGet } from '../../data/api/calls.ts';
import { useRead, useReading } from '../../data/api/use-read.ts';
import { pointsOf, sumOf } from './equity.ts';

const EVERY_MS = 60_000;
const NO_POINTS: readonly ValuePoint[] = [];

export interface Equity {
  readonly points: readonly ValuePoint[];
  readonly error: CallError | null;
}

/** The path of an account's equity since a time; null: since its opening. */
function pathOf(accountId: string, fromMs: number | null): string {
  const from = fromMs === null ? '' : `?from=${new Date(fromMs).toISOString()}`;
  return `/api/traders/${encodeURIComponent(accountId)}${from}`;
}

/**
 * The equity of accounts together, at the marks of each moment.
 *
 * @param spanMs the time until now; null: since their openings
 * @param isReady whether it may be read now: such reads take turns
 */
export function useEquity(accountIds: readonly string[], spanMs: number | null, isReady: boolean): Equity {
  const read = async (signal: AbortSignal): Promise<ReadAnswer<readonly ValuePoint[]>> => {
    const fromMs = spanMs === null ? null : serviceNowMs() - spanMs;
    const answers = await Promise.all(accountIds.map((id) => apiGet<TraderBody>(pathOf(id, fromMs), { signal })));
    return { body: sumOf(answers.map(({ body }) => pointsOf(body))), seq: 0, next: null };
  };
  const { data, error } = useReading(isReady ? `${accountIds.join()} ${spanMs ?? ''}` : null, read, {
    everyMs: EVERY_MS,
  });
  return { points: data ?? NO_POINTS, error };
}

/** What an account was worth when the person's day began; null: the exchange does not tell; undefined: not read yet. */
export function useDayStart(accountId: string): number | null | undefined {
  const now = new Date(serviceNowMs());
  const startMs = noteOf('times') === 'utc' ? now.setUTCHours(0, 0, 0, 0) : now.setHours(0, 0, 0, 0);
  const { data, isLoading } = useRead<TraderBody>(pathOf(accountId, startMs));
  return isLoading ? undefined : (data?.equity[0]?.value ?? null);
}
