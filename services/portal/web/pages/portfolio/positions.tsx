import type { PulseEntryBody } from '@paper/contracts/markets';
import type { PositionBody } from '@paper/contracts/portfolio';
import { Component } from 'preact';
import { Gain, Money, Price } from '../../ui/figures.tsx';
import { countText, OUTCOME_NAMES } from '../../ui/format.ts';
import type { RowRange } from '../../ui/row-window.ts';
import { HoldingRow, HoldingTable } from './holding-table.tsx';
import { positionWorth } from './live-positions.ts';

const FIGURES = ['Shares', 'Cost', 'Mark', 'Value', 'P&L'];

export interface PositionsProps {
  readonly positions: readonly PositionBody[];
  readonly pulses: ReadonlyMap<string, PulseEntryBody>;
  readonly onRange: (range: RowRange) => void;
}

/** The shares that an account holds, at live marks. */
export function Positions({ positions, pulses, onRange }: PositionsProps) {
  if (positions.length === 0) return <p class="quiet">No shares are held.</p>;
  return (
    <HoldingTable
      label="Positions"
      figures={FIGURES}
      count={positions.length}
      onRange={onRange}
      row={(index) => {
        const position = positions[index];
        if (position === undefined) return null;
        const pulse = pulses.get(position.marketId) ?? null;
        return <PositionRow key={position.id} position={position} pulse={pulse} index={index} />;
      }}
    />
  );
}

interface PositionRowProps {
  readonly position: PositionBody;
  readonly pulse: PulseEntryBody | null;
  readonly index: number;
}

/** A position. It renders again only when a figure of it has changed. */
class PositionRow extends Component<PositionRowProps> {
  override shouldComponentUpdate({ position, pulse, index }: PositionRowProps): boolean {
    const { position: shown, pulse: shownPulse, index: shownIndex } = this.props;
    return (
      index !== shownIndex ||
      position.shares !== shown.shares ||
      position.avgCost !== shown.avgCost ||
      positionWorth(position, pulse ?? undefined).mark !== positionWorth(shown, shownPulse ?? undefined).mark
    );
  }

  override render({ position, pulse, index }: PositionRowProps) {
    const { mark, pnl, value } = positionWorth(position, pulse ?? undefined);
    const contents = [
      countText(position.shares),
      <Price value={position.avgCost} />,
      <Price value={mark} />,
      <Money amount={rounded(value)} />,
      <Gain amount={rounded(pnl)} />,
    ];
    const { market } = position;
    const facts = [OUTCOME_NAMES[position.side], market.ticker, market.status === 'active' ? null : market.status];
    return (
      <HoldingRow
        index={index}
        marketId={position.marketId}
        title={market.title}
        facts={facts.filter((each) => each !== null).join(' · ')}
        figures={FIGURES.map((name, at) => ({ name, content: contents[at] }))}
      />
    );
  }
}

/** Amounts at marks between two prices are finer than people need. */
export function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}
