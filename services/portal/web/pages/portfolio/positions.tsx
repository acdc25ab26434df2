import type { PulseEntryBody } from '@paper/contracts/markets';
import type { PortfolioBody, PositionBody } from '@paper/contracts/portfolio';
import { Component } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { meansOf } from '../../data/orders/means.ts';
import { Button } from '../../ui/button.tsx';
import { Gain, Money, Price } from '../../ui/figures.tsx';
import { countText, OUTCOME_NAMES } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import type { RowRange } from '../../ui/row-window.ts';
import { CloseDialog } from './close-dialog.tsx';
import { HoldingRow, HoldingTable } from './holding-table.tsx';
import { positionWorth, roundedToCents } from './live-positions.ts';

export interface PositionsProps {
  readonly portfolio: PortfolioBody;
  /** The account; null if it is read-only. */
  readonly accountId: string | null;
  readonly pulses: ReadonlyMap<string, PulseEntryBody>;
  readonly onRange: (range: RowRange) => void;
  readonly onChange: () => void;
}

export function Positions({ portfolio, accountId, pulses, onRange, onChange }: PositionsProps) {
  const { positions } = portfolio;
  const [closing, setClosing] = useState<PositionBody | null>(null);
  const [result, setResult] = useState<string | null>(null);
  return (
    <>
      {result !== null && <Notice kind="success">{result}</Notice>}
      {positions.length === 0 ? (
        <p class="quiet">No shares are held.</p>
      ) : (
        <HoldingTable
          label="Positions"
          figures={['Shares', 'Cost', 'Mark', 'Value', 'P&L']}
          hasActions={accountId !== null}
          rows={positions}
          onRange={onRange}
          row={(position, index) => (
            <PositionRow
              key={position.id}
              position={position}
              pulse={pulses.get(position.marketId)}
              index={index}
              onClose={accountId === null ? null : setClosing}
            />
          )}
        />
      )}
      {closing !== null && accountId !== null && (
        <CloseDialog
          accountId={accountId}
          position={closing}
          free={closing.shares - meansOf(portfolio, closing.marketId).shares[closing.side].offered}
          onEnd={(sold) => {
            setClosing(null);
            setResult(sold);
            if (sold !== null) onChange();
          }}
        />
      )}
    </>
  );
}

interface PositionRowProps {
  readonly position: PositionBody;
  readonly pulse: PulseEntryBody | undefined;
  readonly index: number;
  readonly onClose: ((position: PositionBody) => void) | null;
}

class PositionRow extends Component<PositionRowProps> {
  override shouldComponentUpdate({ position, pulse, index }: PositionRowProps): boolean {
    const { position: shown, pulse: shownPulse, index: shownIndex } = this.props;
    return (
      index !== shownIndex ||
      position.shares !== shown.shares ||
      position.avgCost !== shown.avgCost ||
      position.market.status !== shown.market.status ||
      positionWorth(position, pulse).mark !== positionWorth(shown, shownPulse).mark
    );
  }

  override render({ position, pulse, index, onClose }: PositionRowProps) {
    const { mark, pnl, value } = positionWorth(position, pulse);
    const { market, marketId, side } = position;
    const facts = [OUTCOME_NAMES[side], market.ticker, market.status === 'active' ? null : market.status];
    const of = `${OUTCOME_NAMES[side]} of ${market.title}`;
    return (
      <HoldingRow
        index={index}
        marketId={marketId}
        title={market.title}
        facts={facts.filter((each) => each !== null).join(' · ')}
        figures={{
          Shares: countText(position.shares),
          Cost: <Price value={position.avgCost} />,
          Mark: <Price value={mark} />,
          Value: <Money amount={roundedToCents(value)} />,
          'P&L': <Gain amount={roundedToCents(pnl)} />,
        }}
        actions={
          onClose === null ? undefined : market.status === 'active' ? (
            <>
              <Link
                class="button plain"
                href={`/markets/${encodeURIComponent(marketId)}?side=sell&outcome=${side}`}
                aria-label={`Sell ${of}`}
              >
                Sell
              </Link>
              <Button label={`Close ${of}`} onClick={() => onClose(position)}>
                Close
              </Button>
            </>
          ) : (
            ''
          )
        }
      />
    );
  }
}
