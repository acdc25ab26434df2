import type { MarketBody } from '@paper/contracts/markets';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { marketReads, orderProofRead } from '../../../src/pages/paths.ts';
import { useTitle } from '../../base/use-title.ts';
import { useRead } from '../../data/api/use-read.ts';
import { ownJournal } from '../../data/receipts/journal-page.ts';
import { orderEventText, placedText, readOrderEvents } from '../../data/receipts/order-record.ts';
import type { OrderEvent } from '../../data/receipts/order-record.ts';
import { useSession } from '../../data/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Time } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { PageProps } from '../page-props.ts';
import { CheckPanel } from '../proof/check-panel.tsx';
import { useReceipts } from '../proof/use-receipts.ts';

/** The journal's events of one order, and the check of its receipt if this browser stores one. */
export default function OrderProof({ params: { id = '' } }: PageProps) {
  const { data, error, next } = useRead<{ readonly seqs: readonly number[] }>(orderProofRead(id));
  const [events, setEvents] = useState<readonly OrderEvent[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useTitle('Proof of an order');
  useEffect(() => {
    if (data === null) return;
    readOrderEvents(data.seqs, ownJournal(location.origin)).then(setEvents, (failed: unknown) =>
      setFailure(String(failed)),
    );
  }, [data]);
  const first = events?.[0];
  const market = useRead<MarketBody>(first === undefined ? null : marketReads(first.fields.marketId).market);
  // The title's length moves the content below it, so the page waits for the title too.
  const isKnown = events !== null && (market.data !== null || market.error !== null);
  const isMissing = error?.code === 'not_found';
  const problem = isMissing ? null : (error?.message ?? failure);
  return (
    <>
      <h1>{isMissing ? 'No such order' : 'Proof of an order'}</h1>
      {isMissing && (
        <p>
          The journal has no order with this id. Go to <Link href="/proof">your own orders</Link>.
        </p>
      )}
      {problem !== null && <Notice kind="error">{problem}</Notice>}
      {!isKnown && problem === null && !isMissing && <ReadNotice data={null} error={null} />}
      {isKnown && first !== undefined && (
        <Order id={id} events={events} first={first} hasMore={next !== null} title={market.data?.title} />
      )}
    </>
  );
}

interface OrderProps {
  readonly id: string;
  readonly events: readonly OrderEvent[];
  readonly first: OrderEvent;
  readonly hasMore: boolean;
  readonly title: string | undefined;
}

function Order({ id, events, first, hasMore, title }: OrderProps) {
  const { info, person } = useSession();
  const { receipts, heads, isRefused } = useReceipts(person?.accountId ?? null);
  const own = useMemo(() => receipts?.filter(({ order }) => order.id === id) ?? [], [receipts, id]);
  const [isChecked, setIsChecked] = useState(false);
  const hasReceipt = info === null || (person !== null && receipts === null && !isRefused) ? null : own.length > 0;
  const { seq, hash, fields } = first;
  const checked = useMemo(() => (own.length > 0 ? own : [{ seq, hash }]), [own, seq, hash]);
  return (
    <>
      <p>
        An order to {placedText(fields)} in{' '}
        <Link href={`/markets/${encodeURIComponent(fields.marketId)}`}>{title ?? fields.marketId}</Link>, by{' '}
        <Link href={`/traders/${encodeURIComponent(fields.accountId)}`}>account {fields.accountId.slice(-4)}</Link>
      </p>
      <Table
        caption="What the journal says about the order"
        columns={[
          { name: 'Event', isFigure: true, cell: (event) => countText(event.seq) },
          { name: 'Time', cell: (event) => <Time at={new Date(event.fields.at).toISOString()} /> },
          { name: 'What happened', cell: (event) => orderEventText(event, id) },
        ]}
        rows={events}
        keyOf={(event) => String(event.seq)}
      />
      {hasMore && <p class="quiet">The order has more events, which the journal shows.</p>}
      {hasReceipt === false && (
        <Notice kind="info">
          <strong>This is the journal's record of today, not a receipt.</strong> This browser keeps no answer to the
          order, so it cannot show that the record was the same when the order was answered. It can check that nothing
          from the order on is missing or does not fit.
        </Notice>
      )}
      {(hasReceipt === true || isChecked) && (
        <CheckPanel receipts={checked} head={heads[0] ?? null} isRecord={hasReceipt !== true} />
      )}
      {hasReceipt === null ? (
        <ReadNotice data={null} error={null} />
      ) : (
        <div class="actions">
          {!hasReceipt && !isChecked && (
            <Button kind="main" onClick={() => setIsChecked(true)}>
              Check the record
            </Button>
          )}
          <span class="quiet">Anyone can open this page:</span>
          <CopyButton text={location.href} what="link to this page" />
        </div>
      )}
    </>
  );
}
