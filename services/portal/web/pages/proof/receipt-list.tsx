import type { MarketBody } from '@paper/contracts/markets';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useRead } from '../../data/api/use-read.ts';
import { useOwnPortfolio } from '../../data/session/use-account.ts';
import { orderText } from '../../data/receipts/order-record.ts';
import type { Receipt } from '../../data/receipts/receipt.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { capitalized } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/notice.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import { Section } from '../../ui/section.tsx';
import { receiptRows } from './receipt-rows.ts';
import { marketReads } from '../../../src/pages/paths.ts';

const SHOWN_AT_ONCE = 50;

/** The person's orders, each with a link to its proof, and whether this browser stores a receipt. */
export function ReceiptList({ receipts }: { readonly receipts: readonly Receipt[] }) {
  const { data, error } = useOwnPortfolio();
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
          {rows.slice(0, shown).map(({ at, isStored, key, order }) => (
            <Row
              key={key}
              name={capitalized(orderText(order))}
              facts={[
                // Until all titles are known, no single title is read.
                data !== null && <MarketTitle id={order.marketId} title={titles.get(order.marketId)} />,
                <Time at={at} />,
                isStored ? 'Receipt kept here' : 'No receipt kept here',
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

function MarketTitle({ id, title }: { readonly id: string; readonly title?: string | undefined }) {
  const { data } = useRead<MarketBody>(title === undefined ? marketReads(id).market : null);
  return <Link href={`/markets/${encodeURIComponent(id)}`}>{title ?? data?.title ?? id}</Link>;
}
