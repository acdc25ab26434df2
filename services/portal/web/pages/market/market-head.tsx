import type { MarketBody } from '@paper/contracts/markets';
import { Time } from '../../ui/figures.tsx';
import { countText, moneyText, OUTCOME_NAMES, percentText, priceText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Cited } from './cited.tsx';

/** The figures of a market, in terms of YES. */
export type Quotes = Pick<MarketBody, 'probability' | 'bestYesBid' | 'bestYesAsk' | 'lastTradePrice' | 'volume'>;

const PHASES: Readonly<Record<MarketBody['phase'], string>> = {
  scheduled: 'Scheduled',
  active: 'Open',
  paused: 'Paused',
  closed: 'Closed',
  settling: 'Being settled',
  resolved: 'Resolved',
  void: 'Void',
};

/** What is still possible in a phase without trading. */
const STILL_POSSIBLE: Readonly<Partial<Record<MarketBody['phase'], string>>> = {
  scheduled: 'trading has not begun. You can read the rules and the news.',
  paused: 'no order can be placed or amended now. You can cancel your orders, which stay in the book.',
  closed:
    'trading has ended, and the outcome is not decided yet. All orders are cancelled; shares wait for their payout.',
  settling: 'trading has ended, and the payouts are under way.',
};

/** The prices of immediate orders, in terms of YES. */
export type BestPrices = Pick<Quotes, 'bestYesAsk' | 'bestYesBid'>;

export function isOver({ phase }: Pick<MarketBody, 'phase'>): boolean {
  return phase === 'resolved' || phase === 'void';
}

export function MarketHead({ market }: { readonly market: MarketBody }) {
  const { phase, resolvedOutcome } = market;
  const state = `${PHASES[phase]}${resolvedOutcome === null ? '' : ` ${OUTCOME_NAMES[resolvedOutcome]}`}`;
  const possible = STILL_POSSIBLE[phase];
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
      {possible !== undefined && (
        <Notice kind="warning">
          {PHASES[phase]}: {possible}
        </Notice>
      )}
    </header>
  );
}

export function AboutMarket({ market }: { readonly market: MarketBody }) {
  const { citationUrl, description, settlementSource } = market;
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

export function MarketFigures({ market, quotes }: { readonly market: MarketBody; readonly quotes: Quotes }) {
  const { bestYesAsk, bestYesBid, lastTradePrice, probability, volume } = quotes;
  const hasEnded = isOver(market);
  const figures = [
    ...(hasEnded ? [] : [['Bid', priceText(bestYesBid)] as const, ['Ask', priceText(bestYesAsk)] as const]),
    ['Last trade', priceText(lastTradePrice)],
    ['Volume', `${countText(volume)} shares`],
    ...(hasEnded ? [] : [['Open interest', moneyText(market.openInterest)] as const]),
  ] as const;
  return (
    <dl class="quotes">
      {!hasEnded && (
        <div class="chance">
          <dt>chance of yes</dt>
          <dd class="number">{percentText(probability)}</dd>
        </div>
      )}
      {figures.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
