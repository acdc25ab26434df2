import type { TraderBody } from '@paper/contracts/accounts';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { traderRead } from '../../../src/pages/paths.ts';
import { useTitle } from '../../base/use-title.ts';
import { useRead } from '../../data/api/use-read.ts';
import { useSession } from '../../data/session/session.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Gain, Money, Time } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/notice.tsx';
import { ValueChart } from '../../ui/value-chart.tsx';
import { Section } from '../../ui/section.tsx';
import { pointsOf } from '../portfolio/equity.ts';
import type { PageProps } from '../page-props.ts';

const EVERY_MS = 15_000;

/** The public results of an account: what the journal says about it, and nothing about its owner. */
export default function Trader({ params: { id = '' } }: PageProps) {
  const { data, error } = useRead<TraderBody>(traderRead(id), { everyMs: EVERY_MS });
  const isOwn = useSession().person?.accountId === id;
  useTitle(data?.displayName ?? null);
  if (data === null && error?.code === 'account_not_found') {
    return (
      <>
        <h1>No such trader</h1>
        <p>
          No account with public results has this address. Go to the <Link href="/leaderboard">leaderboard</Link>.
        </p>
      </>
    );
  }
  return (
    <>
      <h1>
        {data?.displayName ?? 'Trader'} <code class="quiet">{id.slice(-4)}</code>
        {isOwn && <span class="tag">you</span>}
      </h1>
      <ReadNotice data={data} error={error} />
      {data !== null && <Results trader={data} />}
      <p>
        <Link href="/leaderboard">All traders</Link> {isOwn && <Link href="/portfolio">Your portfolio</Link>}
      </p>
    </>
  );
}

function Results({ trader }: { readonly trader: TraderBody }) {
  const { equity, openPositions, pnl, portfolioValue, since, trades, volume } = trader;
  const points = useMemo(() => pointsOf({ equity }), [equity]);
  return (
    <>
      <p class="quiet">
        Opened <Time at={since} />
      </p>
      <Facts
        as="tiles"
        of={{
          'Portfolio value': <Money amount={portfolioValue} />,
          'P&L': <Gain amount={pnl} />,
          Volume: <Money amount={volume} />,
          Trades: countText(trades),
          'Open positions': countText(openPositions),
        }}
      />
      <Section title="Value over time" class="card">
        <ValueChart name="Portfolio value" points={points} now={portfolioValue} start={portfolioValue - pnl} />
      </Section>
    </>
  );
}
