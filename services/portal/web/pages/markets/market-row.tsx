import type { MarketBody, PulseEntryBody } from '@paper/contracts/markets';
import { Component } from 'preact';
import { Link } from 'wouter-preact';
import { countText, probabilityChangeText, percentText, priceText } from '../../ui/format.ts';

export interface MarketRowProps {
  readonly market: MarketBody;
  /** Its newest pulse; null before the first. */
  readonly entry: PulseEntryBody | null;
  /** Its place in the list, from 0. */
  readonly index: number;
}

/** The figures of a row. */
type Figures = Pick<
  PulseEntryBody,
  'probability' | 'bestYesBid' | 'bestYesAsk' | 'lastTradePrice' | 'volume' | 'status'
>;

/** A market in the list. It renders again only when a figure of it has changed. */
export class MarketRow extends Component<MarketRowProps> {
  /** Alternates at each change, so that its animation begins again without reading the layout. */
  #flash: '' | 'a' | 'b' = '';

  override shouldComponentUpdate({ market, entry, index }: MarketRowProps): boolean {
    const next = figuresOf(market, entry);
    const shown = figuresOf(this.props.market, this.props.entry);
    if (next.probability !== shown.probability) this.#flash = this.#flash === 'a' ? 'b' : 'a';
    const isSame =
      next.probability === shown.probability &&
      next.bestYesBid === shown.bestYesBid &&
      next.bestYesAsk === shown.bestYesAsk &&
      next.lastTradePrice === shown.lastTradePrice &&
      next.volume === shown.volume &&
      next.status === shown.status;
    return !isSame || market.id !== this.props.market.id || index !== this.props.index;
  }

  override render({ market, entry, index }: MarketRowProps) {
    const { probability, bestYesBid, bestYesAsk, lastTradePrice, volume, status } = figuresOf(market, entry);
    const move = probability - market.probability;
    const movedText = probabilityChangeText(move);
    const facts = [market.ticker, market.sector, status === 'active' ? null : status].filter((each) => each !== null);
    return (
      // The first row of the table is its head.
      <div class="virtual-row market-row" role="row" aria-rowindex={index + 2}>
        <span role="cell" class="market-name">
          <Link href={`/markets/${encodeURIComponent(market.id)}`}>{market.title}</Link>
          <span class="market-facts">{facts.join(' · ')}</span>
        </span>
        <span role="cell" class="market-probability" data-flash={this.#flash}>
          <span class="number">
            {movedText !== '' && (
              <span class={move > 0 ? 'gain move' : 'loss move'} title="Percentage points since this list was read">
                {movedText}{' '}
              </span>
            )}
            <strong>{percentText(probability)}</strong>
          </span>
          <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={probability * 100} height="1" />
          </svg>
        </span>
        <Figure name="Bid" text={priceText(bestYesBid)} />
        <Figure name="Ask" text={priceText(bestYesAsk)} />
        <Figure name="Last" text={priceText(lastTradePrice)} />
        <Figure name="Volume" text={countText(volume)} />
        <Figure name="Closes" text={market.closesAt.slice(0, 10)} />
      </div>
    );
  }
}

function Figure({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <span role="cell" class="figure number" data-name={name}>
      {text}
    </span>
  );
}

/** The pulse's figures where they are newer than the list's. */
function figuresOf(market: MarketBody, entry: PulseEntryBody | null): Figures {
  return entry !== null && entry.seq >= market.seq ? entry : market;
}
