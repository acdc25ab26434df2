import type { BacktestBody } from '@paper/contracts/backtests';
import { percentText } from '../../ui/format.ts';

export function stateText({ events, eventsDone, state, why }: BacktestBody): string {
  const reason = why === null ? '' : `: ${why}`;
  switch (state) {
    case 'starting':
      return 'Starting';
    case 'running':
      return `Running, ${percentText(events === 0 ? 0 : Math.floor((100 * eventsDone) / events) / 100)}`;
    case 'ended':
      return `Ended${reason}`;
    case 'failed':
      return `Failed${reason}`;
  }
}
