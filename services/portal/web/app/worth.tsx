import { useRef } from 'preact/hooks';
import { useShownWorth } from '../data/session/shown-worth.ts';
import { useAccount, useOwnPortfolio } from '../data/session/use-account.ts';
import { useLive } from '../live/use-live.ts';
import { liveTotals } from '../pages/portfolio/live-positions.ts';
import { moneyText } from '../ui/format.ts';
import { useThrottled } from '../ui/use-throttled.ts';

const EVERY_MS = 15_000;
const EVENT_MS = 1_000;
const LIVE_MAX = 40;

/** The value and cash of the person's account, live. While the page Portfolio is shown, its figures are used. */
export default function Worth() {
  const version = useThrottled(useAccount().version, EVENT_MS);
  const shown = useShownWorth();
  const { data } = useOwnPortfolio(shown === null, { everyMs: EVERY_MS, version });
  const positions = data?.positions ?? [];
  const { markets } = useLive([...new Set(positions.map(({ marketId }) => marketId))].slice(0, LIVE_MAX));
  const read = data === null ? null : { ...data.summary, ...liveTotals(data.summary, positions, markets) };
  // After the person leaves that page, its amounts stay until the next read.
  const newest = useRef(shown);
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
