import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import type { VirtualRowsProps } from '../../ui/virtual-rows.tsx';

export interface HoldingTableProps<T> extends VirtualRowsProps<T> {
  readonly label: string;
  readonly figures: readonly string[];
  readonly hasActions?: boolean;
}

export function HoldingTable<T>({ label, figures, hasActions = false, ...body }: HoldingTableProps<T>) {
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={body.rows.length + 1}
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
      <VirtualRows {...body} />
    </div>
  );
}

export interface HoldingRowProps {
  readonly index: number;
  readonly marketId: string;
  readonly title: string;
  readonly facts: ComponentChildren;
  /** The figures by their names in the table, in its order. */
  readonly figures: Readonly<Record<string, ComponentChildren>>;
  readonly actions?: ComponentChildren;
}

export function HoldingRow({ index, marketId, title, facts, figures, actions }: HoldingRowProps) {
  return (
    // The first row of the table is its head.
    <div class="virtual-row holding-row" role="row" aria-rowindex={index + 2}>
      <span role="cell" class="market-name">
        <Link href={`/markets/${encodeURIComponent(marketId)}`}>{title}</Link>
        <span class="market-facts">{facts}</span>
      </span>
      {Object.entries(figures).map(([name, content]) => (
        <span key={name} role="cell" class="figure number" data-name={name}>
          {content}
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
