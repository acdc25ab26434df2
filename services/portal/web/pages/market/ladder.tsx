import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { dollars } from '@paper/contracts/units';
import { countText, priceText } from '../../ui/format.ts';
import type { ladderOf, LadderRow } from './ladder-rows.ts';

export const LADDER_ROWS = 10;

export interface LadderTableProps {
  readonly ladder: ReturnType<typeof ladderOf>;
  readonly caption: string;
  /** Copies a price, in dollars, to the ticket; null without a ticket. */
  readonly onPrice: ((price: number) => void) | null;
}

/** Both sides of a book: first the asks, the best one last, then the bids. */
export function LadderTable({ ladder, caption, onPrice }: LadderTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const { asks, bids, spreadUnits } = ladder;
  const onArrow = (event: TargetedKeyboardEvent<HTMLTableElement>): void => moveFocus(table.current, event);
  // The Tab key stops at only one price; the arrow keys move between the prices.
  const stop = asks.length > 0 ? asks[0] : bids[0];
  const row = (side: 'ask' | 'bid') => (each: LadderRow) => (
    <Row key={each.priceUnits} row={each} side={side} onPrice={onPrice} isStop={each === stop} />
  );
  return (
    <table class="ladder" ref={table} onKeyDown={onArrow}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col">Shares</th>
          <th scope="col" class="own-shares">
            Yours
          </th>
          <th scope="col">Total</th>
        </tr>
      </thead>
      <tbody class="asks">{[...asks].reverse().map(row('ask'))}</tbody>
      <tbody class="spread">
        <tr>
          <td colSpan={4}>
            {spreadUnits === null ? 'No spread: one side is empty' : `Spread ${priceText(dollars(spreadUnits))}`}
          </td>
        </tr>
      </tbody>
      <tbody class="bids">{bids.map(row('bid'))}</tbody>
    </table>
  );
}

interface RowProps {
  readonly row: LadderRow;
  readonly side: 'ask' | 'bid';
  readonly onPrice: ((price: number) => void) | null;
  readonly isStop: boolean;
}

function Row({ row, side, onPrice, isStop }: RowProps) {
  const price = dollars(row.priceUnits);
  return (
    <tr class={row.own > 0 ? `${side} mine` : side}>
      <td class="price">
        {onPrice === null ? (
          priceText(price)
        ) : (
          <button
            type="button"
            tabIndex={isStop ? 0 : -1}
            aria-label={`Take ${priceText(price)} as the price`}
            onClick={() => onPrice(price)}
          >
            {priceText(price)}
          </button>
        )}
      </td>
      <td class="shares">{countText(row.quantity)}</td>
      <td class="own-shares">{row.own > 0 && countText(row.own)}</td>
      <td class="total">
        {/* Attributes of SVG need no inline style, which the page's policy forbids. */}
        <svg aria-hidden="true" class="depth" preserveAspectRatio="none">
          <rect x={`${percent(1 - row.depth)}%`} width={`${percent(row.depth)}%`} height="100%" />
        </svg>
        <span>{countText(row.total)}</span>
      </td>
    </tr>
  );
}

const percent = (part: number): number => Math.round(part * 1000) / 10;

function moveFocus(table: HTMLTableElement | null, event: TargetedKeyboardEvent<HTMLTableElement>): void {
  const buttons = [...(table?.querySelectorAll('button') ?? [])];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  buttons[Math.min(Math.max(to, 0), buttons.length - 1)]?.focus();
}
