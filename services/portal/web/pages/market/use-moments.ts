import type { MomentsBody } from '@paper/contracts/markets';
import { useRef } from 'preact/hooks';
import type { CallError } from '../../base/call-error.ts';
import { useRead } from '../../data/api/use-read.ts';
import { useIdle } from '../../base/use-idle.ts';
import type { Moment } from './use-past.ts';

const POINTS = 160;
const REFRESH_MS = 20_000;
const NO_MOMENTS: readonly Moment[] = [];

export interface ReadMoments {
  readonly moments: readonly Moment[];
  readonly isRead: boolean;
  readonly error: CallError | null;
}

/**
 * The history of a market in some moments, read once the page is idle.
 *
 * @param isPast whether the time slider shows a past time: the moments then stay, so that the slider stays on its
 *   step
 */
export function useMoments(marketId: string, isPast: boolean): ReadMoments {
  const path = `/api/markets/${encodeURIComponent(marketId)}/moments?points=${POINTS}`;
  const { data, error } = useRead<MomentsBody>(useIdle() ? path : null, { everyMs: REFRESH_MS });
  const shown = useRef(NO_MOMENTS);
  if (!isPast && data !== null) shown.current = data.moments;
  return { error, isRead: data !== null, moments: shown.current };
}
