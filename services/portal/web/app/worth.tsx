import type { PortfolioBody } from '@paper/contracts/portfolio';
import { useRef } from 'preact/hooks';
import { useRead } from '../data/api/use-read.ts';
import { useShownWorth } from '../data/session/shown-worth.ts';
import type { Worth as Amounts } from '../data/session/shown-worth.ts';
import { useAccount } from '../data/session/use-account.ts';
import { useLive } from '../live/use-live.ts';
import { liveTotals } from '../pages/portfolio/live-positions.ts';
import { moneyText } from '../ui/format.ts';
import { useThrottled } from '../ui/use-throttled.ts';

/** The interval at which the figures are read again without an event of the account. */
const EVERY_MS = 15_000;
/** The shortest time between two reads after events of the account. */
const EVENT_MS = 1_000;
/** The most positions that are followed live. */
const LIVE_MAX = 40;

/**
 * The value and cash of the person's account, live. On the page of the portfolio, the amounts are those that the page
 * shows.
 */
export default function Worth() {
  const version = useThrottled(useAccount().version, EVENT_MS);
  const shown = useShownWorth();
  const path = shown === null ? '/portal/as/me/portfolio' : null;
  const { data } = useRead<PortfolioBody>(path, { everyMs: EVERY_MS, version });
  const positions = data?.positions ?? [];
  const { markets } = useLive([...new Set(positions.map(({ marketId }) => marketId))].slice(0, LIVE_MAX));
  const read = data === null ? null : { ...data.summary, ...liveTotals(data.summary, positions, markets) };
  // After the person leaves a page with these amounts, the former amounts stay until the next read.
  const newest = useRef<Amounts | null>(null);
  newest.current = shown ?? read ?? newest.current;
  const { current: worth } = newest;
  return (
    <dl class="worth">
      <div class="cash">
        <dt>Cash</dt>
        <dd class="number">{moneyText(worth?.cash ?? null)}</dd>
      </div>
      <div>
        <dt>Portfolio</dt>
        <dd class="number">{moneyText(worth?.portfolioValue ?? null)}</dd>
      </div>
    </dl>
  );
}
