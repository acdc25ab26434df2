import type { PortfolioBody } from '@paper/contracts/portfolio';
import { useRead } from '../data/api/use-read.ts';
import { useAccount } from '../data/session/use-account.ts';
import { useLive } from '../live/use-live.ts';
import { liveTotals } from '../pages/portfolio/live-positions.ts';
import { moneyText } from '../ui/format.ts';
import { useThrottled } from '../ui/use-throttled.ts';

/** The figures are read again this often, also without an event of the account. */
const EVERY_MS = 15_000;
/** After events of the account they are read again this often at most. */
const EVENT_MS = 1_000;
/** Positions that are followed live. */
const LIVE_MAX = 40;

/** Value and cash of the person's account, live: at the same marks as the portfolio's page. */
export default function Worth() {
  const version = useThrottled(useAccount().version, EVENT_MS);
  const { data } = useRead<PortfolioBody>('/portal/as/me/portfolio', { everyMs: EVERY_MS, version });
  const positions = data?.positions ?? [];
  const { markets } = useLive([...new Set(positions.map(({ marketId }) => marketId))].slice(0, LIVE_MAX));
  const totals = data === null ? null : liveTotals(data.summary, positions, markets);
  return (
    <dl class="worth">
      <div class="cash">
        <dt>Cash</dt>
        <dd class="number">{moneyText(data?.summary.cash ?? null)}</dd>
      </div>
      <div>
        <dt>Portfolio</dt>
        <dd class="number">{moneyText(totals?.portfolioValue ?? null)}</dd>
      </div>
    </dl>
  );
}
