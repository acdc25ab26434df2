import type { MarketBody } from '@paper/contracts';
import { Time } from '../../ui/figures.tsx';
import { countText, moneyText, percentText, priceText } from '../../ui/format.ts';
import { Cited } from './cited.tsx';

type Quotes = Pick<MarketBody, 'probability' | 'bestYesBid' | 'bestYesAsk' | 'lastTradePrice' | 'volume'>;

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
  const { description, phase, resolvedOutcome } = market;
  const state = resolvedOutcome === null ? PHASES[phase] : `Settled: ${resolvedOutcome.toUpperCase()}`;
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
      {description !== null && <p class="market-description">{description}</p>}
      <p class="quiet">
        Settled by <Cited text={market.settlementSource} address={market.citationUrl} />. A share of the right outcome
        pays $1, the other $0.
      </p>
    </header>
  );
}

export interface MarketFiguresProps {
  readonly market: MarketBody;
  /** The newest quotes, where they are newer than the market's. */
  readonly live: Quotes | null;
}

/** The market's figures. */
export function MarketFigures({ market, live }: MarketFiguresProps) {
  const { bestYesAsk, bestYesBid, lastTradePrice, probability, volume } = live ?? market;
  const figures = [
    ['Probability of yes', percentText(probability)],
    ['Bid / ask', `${priceText(bestYesBid)} / ${priceText(bestYesAsk)}`],
    ['Last trade', priceText(lastTradePrice)],
    ['Volume', `${countText(volume)} shares`],
    ['Open interest', moneyText(market.openInterest)],
  ] as const;
  return (
    <dl class="market-figures">
      {figures.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
