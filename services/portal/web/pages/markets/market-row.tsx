import type { MarketBody, PulseEntryBody } from '@paper/contracts/markets';
import { Component } from 'preact';
import { Link } from 'wouter-preact';
import type { LiveEntries } from '../../live/live-entries.ts';
import { Time } from '../../ui/figures.tsx';
import {
  countText,
  dayText,
  OUTCOME_NAMES,
  OUTCOMES,
  percentText,
  priceText,
  probabilityChangeText,
  roundMoneyText,
} from '../../ui/format.ts';
import { costOf } from '../market/cost-of.ts';
import { Sparkline } from './sparkline.tsx';

type MarketRowProps = Readonly<{ market: MarketBody; entries: LiveEntries; index: number }>;

type Figures = Pick<PulseEntryBody, 'probability' | 'bestYesBid' | 'bestYesAsk' | 'volume' | 'status'>;

const SHOWN = ['probability', 'bestYesBid', 'bestYesAsk', 'volume', 'status'] as const;

/** A market in the list. It renders again only when a figure of it has changed. */
export class MarketRow extends Component<MarketRowProps> {
  #shown: Figures | null = null;
  /** Changes at each new price, so that the animation restarts without a read of the layout. */
  #flash: '' | 'a' | 'b' = '';
  #stop = (): void => undefined;

  override componentDidMount(): void {
    const { entries, market } = this.props;
    this.#stop = entries.watch(market.id, () => {
      if (!this.#isShown(this.props)) this.setState({});
    });
  }

  override componentWillUnmount(): void {
    this.#stop();
  }

  override shouldComponentUpdate(next: MarketRowProps): boolean {
    return next.market !== this.props.market || next.index !== this.props.index || !this.#isShown(next);
  }

  #isShown(props: MarketRowProps): boolean {
    const figures = figuresOf(props);
    return SHOWN.every((name) => figures[name] === this.#shown?.[name]);
  }

  override render(props: MarketRowProps) {
    const { index, market } = props;
    const figures = figuresOf(props);
    const { probability, volume, status } = figures;
    const before = this.#shown?.probability ?? probability;
    if (before !== probability) this.#flash = this.#flash === 'a' ? 'b' : 'a';
    this.#shown = figures;
    const address = `/markets/${encodeURIComponent(market.id)}`;
    const change = market.change24h === undefined ? 0 : market.change24h + probability - market.probability;
    return (
      // The first row of the table is its head.
      <div class="virtual-row market-row" role="row" aria-rowindex={index + 2}>
        <span role="cell" class="market-name">
          <Link href={address} title={market.title}>
            {market.title}
          </Link>
          <span class="market-facts">{`${market.ticker} · ${market.sector}`}</span>
        </span>
        <span role="cell" class="market-spark">
          {market.spark !== undefined && <Sparkline spark={market.spark} now={probability} change={change} />}
        </span>
        <span role="cell" class="market-chance number" data-flash={this.#flash}>
          <strong>{percentText(probability)}</strong>
          <Change change={change} />
        </span>
        {status === 'active' ? (
          OUTCOMES.map(({ value: outcome, text }) => (
            <span key={outcome} role="cell" class={`market-price ${outcome}`}>
              <Link class="price" href={`${address}?outcome=${outcome}`}>
                {text} <b class="number">{priceText(costOf(outcome, 'buy', figures))}</b>
              </Link>
            </span>
          ))
        ) : (
          <span role="cell" class="market-ended" aria-colspan={2}>
            {endText(market, figures)}
          </span>
        )}
        <span role="cell" class="figure market-volume number" title={`${countText(volume)} shares`}>
          {roundMoneyText(volume)}
        </span>
        <span role="cell" class="figure market-closes">
          <Time at={market.resolvedAt ?? market.closesAt} far={dayText} />
        </span>
      </div>
    );
  }
}

/** The change in percentage points. Its space is reserved even if there is none. */
function Change({ change }: { readonly change: number }) {
  const text = probabilityChangeText(change);
  if (text === '') return <span class="move">{'\u00a0'}</span>;
  return (
    <span class={`move ${change > 0 ? 'gain' : 'loss'}`} title="Percentage points in 24 hours">
      {text}
    </span>
  );
}

function endText({ phase }: MarketBody, { probability, status }: Figures): string {
  if (status === 'resolved') return `Resolved ${OUTCOME_NAMES[probability === 1 ? 'yes' : 'no']}`;
  return phase === 'active' ? 'Paused or closed' : `${phase.slice(0, 1).toUpperCase()}${phase.slice(1)}`;
}

/** The live figures if they are newer than the list's. */
function figuresOf({ entries, market }: Pick<MarketRowProps, 'entries' | 'market'>): Figures {
  const entry = entries.get(market.id);
  return entry !== null && entry.seq >= market.seq ? entry : market;
}
