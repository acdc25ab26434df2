import type { MarketBody } from '@paper/contracts/markets';
import { Time } from '../../ui/figures.tsx';
import { countText, moneyText, OUTCOME_NAMES, percentText, priceText } from '../../ui/format.ts';
import { Cited } from './cited.tsx';

/** The prices of a market now, in YES terms. */
export type Quotes = Pick<MarketBody, 'probability' | 'bestYesBid' | 'bestYesAsk' | 'lastTradePrice' | 'volume'>;

const PHASES: Readonly<Record<MarketBody['phase'], string>> = {
  scheduled: 'Opens later',
  active: 'Open',
  paused: 'Paused',
  closed: 'Closed',
  settling: 'Being settled',
  resolved: 'Settled',
  void: 'Void',
};

/** What the market is about, and when it ends. */
export function MarketHead({ market }: { readonly market: MarketBody }) {
  const { phase, resolvedOutcome } = market;
  const state = resolvedOutcome === null ? PHASES[phase] : `Settled: ${OUTCOME_NAMES[resolvedOutcome]}`;
  return (
    <header class="market-title">
      <p class="market-status">
        <span class={`phase ${phase}`}>{state}</span>
        <span>{market.ticker}</span>
        <span>{market.sector}</span>
        <span>
          {market.resolvedAt === null ? 'Closes ' : 'Settled '}
          <Time at={market.resolvedAt ?? market.closesAt} />
        </span>
      </p>
      <h1>{market.title}</h1>
    </header>
  );
}

/** The rules of the market. */
export function AboutMarket({
  market: { citationUrl, description, settlementSource },
}: {
  readonly market: MarketBody;
}) {
  return (
    <section class="card" aria-labelledby="about-heading">
      <h2 id="about-heading">Rules</h2>
      {description !== null && <p class="market-description">{description}</p>}
      <p class="quiet">
        Resolves by <Cited text={settlementSource} address={citationUrl} />. A share of the right outcome pays $1, the
        other $0.
      </p>
    </section>
  );
}

export interface MarketFiguresProps {
  readonly market: MarketBody;
  readonly quotes: Quotes;
}

/** The market's figures: the chance of yes before all others. */
export function MarketFigures({ market, quotes }: MarketFiguresProps) {
  const { bestYesAsk, bestYesBid, lastTradePrice, probability, volume } = quotes;
  const figures = [
    ['Bid', priceText(bestYesBid)],
    ['Ask', priceText(bestYesAsk)],
    ['Last trade', priceText(lastTradePrice)],
    ['Volume', `${countText(volume)} shares`],
    ['Open interest', moneyText(market.openInterest)],
  ] as const;
  return (
    <dl class="quotes">
      <div class="chance">
        <dt>chance of yes</dt>
        <dd class="number">{percentText(probability)}</dd>
      </div>
      {figures.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
