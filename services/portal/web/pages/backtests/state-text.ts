import type { BacktestBody } from '@paper/contracts/backtests';
import { capitalized, percentText } from '../../ui/format.ts';

export function stateText({ events, eventsDone, state, why }: BacktestBody): string {
  if (state === 'running') return `Running, ${percentText(Math.floor((100 * eventsDone) / Math.max(events, 1)) / 100)}`;
  return `${capitalized(state)}${state === 'starting' || why === null ? '' : `: ${why}`}`;
}
