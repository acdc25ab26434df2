import type { OrderBody } from '@paper/contracts/orders';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import type { CheckedReceipt } from '../../data/receipts/receipt.ts';
import type { Receipt, ReceiptOrder } from '../../data/receipts/receipt.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { countText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { receiptRows } from './receipt-rows.ts';
import type { ReceiptRow } from './receipt-rows.ts';

/** The newest of the person's orders. */
const ORDERS_READ = '/portal/as/me/orders?limit=100';
const SHOWN_AT_ONCE = 50;
/** Receipts that one check takes: each is named in its result. */
const CHECKED_AT_ONCE = 50;

export interface ReceiptListProps {
  readonly receipts: readonly Receipt[];
  readonly onCheck: (receipts: readonly CheckedReceipt[]) => void;
}

/** The person's orders with their receipts, and those that have none here. */
export function ReceiptList({ receipts, onCheck }: ReceiptListProps) {
  const { data: orders, error } = useRead<readonly OrderBody[]>(ORDERS_READ);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const rows = receiptRows(receipts, orders ?? []);
  const newest = receipts.slice(0, CHECKED_AT_ONCE);
  return (
    <Section title="Your orders">
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {rows.length === 0 && <p class="quiet">{orders === null ? 'Loading …' : 'You have sent no order yet.'}</p>}
      {rows.length > 0 && (
        <Table
          caption="Your orders and their receipts"
          columns={columnsOf(onCheck)}
          rows={rows.slice(0, shown)}
          keyOf={({ key }) => key}
        />
      )}
      <div class="actions">
        {newest.length > 1 && (
          <Button onClick={() => onCheck(newest)}>Check the newest {newest.length} receipts</Button>
        )}
        {rows.length > shown && <Button onClick={() => setShown(shown + SHOWN_AT_ONCE)}>Show more</Button>}
      </div>
    </Section>
  );
}

function columnsOf(onCheck: ReceiptListProps['onCheck']): readonly Column<ReceiptRow>[] {
  return [
    { name: 'Time', cell: ({ at }) => <Time at={at} /> },
    { name: 'Order', cell: ({ order }) => orderText(order) },
    {
      name: 'Market',
      cell: ({ order: { marketId } }) => <a href={`/markets/${encodeURIComponent(marketId)}`}>{marketId}</a>,
    },
    { name: 'Event', isFigure: true, cell: ({ receipt }) => (receipt === null ? '–' : countText(receipt.seq)) },
    {
      name: 'Receipt',
      cell: ({ receipt }) =>
        receipt === null ? (
          <span class="quiet">No receipt kept here</span>
        ) : (
          <code class="hash" title={receipt.hash}>
            {receipt.hash.slice(0, 12)}…
          </code>
        ),
    },
    {
      name: 'Action',
      cell: ({ receipt }) =>
        receipt !== null && (
          <Button onClick={() => onCheck([receipt])} label={`Check the receipt of event ${receipt.seq}`}>
            Check
          </Button>
        ),
    },
  ];
}

function orderText({ side, quantity, outcome, orderType, price }: ReceiptOrder): string {
  const at = orderType === 'limit' ? `at ${priceText(price)}` : 'at the market';
  return `${side} ${countText(quantity)} ${OUTCOME_NAMES[outcome]} ${at}`;
}
