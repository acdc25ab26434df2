import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { RowRange } from '../../ui/row-window.ts';
import { VirtualRows } from '../../ui/virtual-rows.tsx';

export interface HoldingTableProps {
  readonly label: string;
  readonly figures: readonly string[];
  readonly hasActions?: boolean;
  readonly count: number;
  readonly row: (index: number) => ComponentChildren;
  readonly onRange?: (range: RowRange) => void;
}

/** A long list of holdings in markets, each row with its market and figures. */
export function HoldingTable({ label, figures, hasActions = false, count, row, onRange }: HoldingTableProps) {
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      class={`holding-table figures-${figures.length}${hasActions ? ' with-actions' : ''}`}
    >
      <div role="rowgroup" class="holding-head-rows">
        <div role="row" aria-rowindex={1} class="holding-row holding-head">
          <span role="columnheader">Market</span>
          {figures.map((name) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
          {hasActions && (
            <span role="columnheader">
              <span class="unseen">Sell</span>
            </span>
          )}
        </div>
      </div>
      <VirtualRows count={count} row={row} {...(onRange === undefined ? {} : { onRange })} />
    </div>
  );
}

export interface HoldingRowProps {
  readonly index: number;
  readonly marketId: string;
  readonly title: string;
  readonly facts: ComponentChildren;
  readonly figures: readonly string[];
  readonly contents: readonly ComponentChildren[];
  readonly actions?: ComponentChildren;
}

export function HoldingRow({ index, marketId, title, facts, figures, contents, actions }: HoldingRowProps) {
  return (
    // The first row of the table is its head.
    <div class="virtual-row holding-row" role="row" aria-rowindex={index + 2}>
      <span role="cell" class="market-name">
        <Link href={`/markets/${encodeURIComponent(marketId)}`}>{title}</Link>
        <span class="market-facts">{facts}</span>
      </span>
      {figures.map((name, at) => (
        <span key={name} role="cell" class="figure number" data-name={name}>
          {contents[at]}
        </span>
      ))}
      {actions !== undefined && (
        <span role="cell" class="order-actions">
          {actions}
        </span>
      )}
    </div>
  );
}
