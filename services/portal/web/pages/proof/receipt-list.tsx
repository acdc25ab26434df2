import type { OrderBody } from '@paper/contracts';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/api/use-read.ts';
import type { CheckedReceipt } from '../../data/receipts/receipt.ts';
import type { Receipt, ReceiptOrder } from '../../data/receipts/receipt.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { countText, priceText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Cell, Table } from '../../ui/table.tsx';
import { receiptRows } from './receipt-rows.ts';

/** The newest of the person's orders. */
const ORDERS_READ = '/portal/as/me/orders?limit=100';
const SHOWN_AT_ONCE = 50;
/** Receipts that one check takes: each is named in its result. */
const CHECKED_AT_ONCE = 50;

const COLUMNS = [
  { name: 'Time' },
  { name: 'Order' },
  { name: 'Market' },
  { name: 'Event', isFigure: true },
  { name: 'Receipt' },
  { name: 'Action' },
] as const;

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
        <Table caption="Your orders and their receipts" columns={COLUMNS}>
          {rows.slice(0, shown).map(({ key, at, order, receipt }) => (
            <tr key={key}>
              <Cell>
                <Time at={at} />
              </Cell>
              <Cell>{orderText(order)}</Cell>
              <Cell>
                <a href={`/markets/${encodeURIComponent(order.marketId)}`}>{order.marketId}</a>
              </Cell>
              {receipt === null ? <NoReceipt /> : <Kept receipt={receipt} onCheck={() => onCheck([receipt])} />}
            </tr>
          ))}
        </Table>
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

function NoReceipt() {
  return (
    <>
      <Cell isFigure>–</Cell>
      <Cell>
        <span class="quiet">No receipt kept here</span>
      </Cell>
      <Cell>{null}</Cell>
    </>
  );
}

function Kept({ receipt: { hash, seq }, onCheck }: { readonly receipt: Receipt; readonly onCheck: () => void }) {
  return (
    <>
      <Cell isFigure>{countText(seq)}</Cell>
      <Cell>
        <code class="hash" title={hash}>
          {hash.slice(0, 12)}…
        </code>
      </Cell>
      <Cell>
        <Button onClick={onCheck} label={`Check the receipt of event ${seq}`}>
          Check
        </Button>
      </Cell>
    </>
  );
}

function orderText({ side, quantity, outcome, orderType, price }: ReceiptOrder): string {
  const at = orderType === 'limit' ? `at ${priceText(price)}` : 'at the market';
  return `${side} ${countText(quantity)} ${outcome.toUpperCase()} ${at}`;
}
