import type { PortfolioBody } from '@paper/contracts/portfolio';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useRead } from '../../data/api/use-read.ts';
import { orderText } from '../../data/receipts/order-record.ts';
import type { Receipt } from '../../data/receipts/receipt.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { capitalized } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/read-notice.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import { Section } from '../../ui/section.tsx';
import { MarketTitle } from './market-title.tsx';
import { receiptRows } from './receipt-rows.ts';

/** All open orders and the newest ended ones, with their markets' titles. */
const ORDERS_READ = '/portal/as/me/portfolio';
const SHOWN_AT_ONCE = 50;

/** The person's orders, each with a link to its proof, and whether this browser stores a receipt. */
export function ReceiptList({ receipts }: { readonly receipts: readonly Receipt[] }) {
  const { data, error } = useRead<PortfolioBody>(ORDERS_READ);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const orders = data?.orders ?? [];
  const titles = new Map(orders.map(({ market, marketId }) => [marketId, market.title]));
  const rows = receiptRows(receipts, orders);
  return (
    <Section title="Your orders">
      {(error !== null || rows.length === 0) && <ReadNotice data={data} error={error} />}
      {rows.length === 0 && data !== null && <p class="quiet">You have sent no order yet.</p>}
      {rows.length > 0 && (
        <RowList label="Your orders and their receipts">
          {rows.slice(0, shown).map(({ at, key, order, receipt }) => (
            <Row
              key={key}
              name={capitalized(orderText(order))}
              facts={[
                // Until all titles are known, no single title is read.
                data !== null && <MarketTitle id={order.marketId} title={titles.get(order.marketId)} />,
                <Time at={at} />,
                receipt === null ? 'No receipt kept here' : 'Receipt kept here',
              ]}
              actions={
                <Link
                  href={`/proof/${encodeURIComponent(order.id)}`}
                  aria-label={`See the proof of: ${orderText(order)}`}
                >
                  See the proof
                </Link>
              }
            />
          ))}
        </RowList>
      )}
      {rows.length > shown && (
        <div class="actions">
          <Button onClick={() => setShown(shown + SHOWN_AT_ONCE)}>Show more</Button>
        </div>
      )}
    </Section>
  );
}
