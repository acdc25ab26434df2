import type { MarketBody } from '@paper/contracts/markets';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import type { MarketEventsBody } from '@paper/contracts/signals';
import { Gain, Time } from '../../ui/figures.tsx';
import { countText, moneyText, OUTCOME_NAMES } from '../../ui/format.ts';
import type { Cited } from './cited.tsx';

export interface SettledCardProps {
  readonly market: Pick<MarketBody, 'id' | 'probability' | 'resolvedAt' | 'resolvedOutcome'>;
  readonly settled: PortfolioBody['settled'] | null;
  readonly news: MarketEventsBody | null;
  /** A property, since an import by both modules would cost each page one more request. */
  readonly cited: typeof Cited;
}

/** The most settled positions in a portfolio: with fewer, a market that is missing was not traded. */
const SETTLED_MAX = 200;

/** The result of a market, the person's payout, and the source of the decision, in place of the ticket. */
export default function SettledCard({ cited: Citation, market, news, settled }: SettledCardProps) {
  const { id, probability, resolvedAt, resolvedOutcome } = market;
  const decision = news?.timeline.find(({ kind }) => kind === 'resolution');
  const paid =
    resolvedOutcome === null
      ? `Yes paid ${moneyText(probability)}, No paid ${moneyText(1 - probability)}`
      : 'paid $1.00';
  return (
    <section class="card ticket settled-card" aria-labelledby="settled-heading">
      <h2 id="settled-heading" class={resolvedOutcome ?? undefined}>
        {resolvedOutcome === null ? 'Void' : `Resolved ${OUTCOME_NAMES[resolvedOutcome]}`}
      </h2>
      <p>
        {resolvedAt !== null && <Time at={resolvedAt} isExact />} · {paid}
      </p>
      {decision !== undefined && (
        <p class="quiet">
          Decided by {decision.source === 'exchange' ? 'an operator of this exchange' : decision.source}:{' '}
          <Citation text={decision.headline} address={decision.citationUrl} />
        </p>
      )}
      {settled !== null && <Result marketId={id} settled={settled} />}
    </section>
  );
}

function Result({ marketId, settled }: { readonly marketId: string } & Pick<PortfolioBody, 'settled'>) {
  const own = settled.filter((position) => position.marketId === marketId);
  if (own.length === 0) return settled.length < SETTLED_MAX ? <p>You held no shares.</p> : null;
  return (
    <>
      {own.map(({ outcome, payout, pnl, shares }) => (
        <p key={outcome}>
          Your {countText(shares)} {OUTCOME_NAMES[outcome]} paid {moneyText(payout)}: <Gain amount={pnl} />
        </p>
      ))}
    </>
  );
}
