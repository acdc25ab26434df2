import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { lazy } from '../../base/lazy.tsx';
import { Button } from '../../ui/button.tsx';
import { Price } from '../../ui/figures.tsx';
import { countText, moneyText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import type { ListedOrder } from './open-orders.ts';
import { cancelOrder } from './order-calls.ts';

const AmendDialog = lazy(() => import('./amend-dialog.tsx'));
const CancelAllDialog = lazy(() => import('./cancel-all-dialog.tsx'));

export interface OrdersTableProps<T extends ListedOrder> {
  readonly caption: string;
  readonly orders: readonly T[];
  /** Null if the orders are read-only. */
  readonly accountId: string | null;
  readonly marketId?: string;
  /** A line above an order, such as its market. */
  readonly above?: (order: T) => ComponentChildren;
  readonly empty?: string;
  readonly onChange: () => void;
}

export default function OrdersTable<T extends ListedOrder>(props: OrdersTableProps<T>) {
  const { caption, orders, accountId, marketId, above, empty, onChange } = props;
  const [amended, setAmended] = useState<T | null>(null);
  const [isAllAsked, setIsAllAsked] = useState(false);
  const { cancel, error, isCancelling, announced } = useCancelling(onChange);
  const { frame, follow } = useNextRow(orders);
  const columns: Column<T>[] = [{ name: 'Order', cell: (order) => <OrderText order={order} above={above?.(order)} /> }];
  if (accountId !== null) {
    columns.push({
      name: 'Change',
      isFigure: true,
      cell: (order) => (
        <span class="order-actions">
          <Button label={`Amend the order to ${orderName(order)}`} onClick={() => setAmended(order)}>
            Amend
          </Button>
          <Button
            label={`Cancel the order to ${orderName(order)}`}
            isBusy={isCancelling(order.id)}
            onClick={() => {
              follow(order);
              void cancel(order);
            }}
          >
            Cancel
          </Button>
        </span>
      ),
    });
  }
  return (
    <div class="orders" ref={frame} tabIndex={-1}>
      {error !== null && <Notice kind="error">{error}</Notice>}
      <p class="unseen" role="status">
        {announced}
      </p>
      <Table
        caption={caption}
        columns={columns}
        rows={orders}
        keyOf={({ id }) => id}
        {...(empty === undefined ? {} : { empty })}
      />
      {accountId !== null && orders.length > 1 && (
        <div class="actions">
          <Button onClick={() => setIsAllAsked(true)}>Cancel all</Button>
        </div>
      )}
      {isAllAsked && (
        <CancelAllDialog
          count={orders.length}
          marketId={marketId}
          onEnd={(isChanged) => {
            setIsAllAsked(false);
            if (isChanged) onChange();
          }}
        />
      )}
      {amended !== null && accountId !== null && (
        <AmendDialog
          accountId={accountId}
          order={amended}
          onEnd={(isChanged) => {
            setAmended(null);
            if (isChanged) onChange();
          }}
        />
      )}
    </div>
  );
}

function OrderText({ order, above }: { readonly order: ListedOrder; readonly above: ComponentChildren }) {
  return (
    <>
      {above !== undefined && <span class="order-market">{above}</span>}
      <span class={order.side === 'buy' ? 'gain' : 'loss'}>{order.side === 'buy' ? 'Buy' : 'Sell'}</span>{' '}
      {OUTCOME_NAMES[order.outcome]} at <Price value={order.price} />
      <span class="order-more">
        {countText(order.filledQty)} of {countText(order.quantity)} filled
        {order.reservedAmount > 0 && <>, reserves {moneyText(order.reservedAmount)}</>}
      </span>
    </>
  );
}

function orderName({ filledQty, outcome, price, quantity, side }: ListedOrder): string {
  return `${side} ${countText(quantity - filledQty)} ${OUTCOME_NAMES[outcome]} at ${priceText(price)}`;
}

/** Focuses the next row after a cancelled order has disappeared; after the last row, the frame of the table. */
function useNextRow(orders: readonly ListedOrder[]) {
  const frame = useRef<HTMLDivElement>(null);
  const left = useRef<{ readonly id: string; readonly index: number } | null>(null);
  useLayoutEffect(() => {
    const { current } = left;
    if (current === null || orders.some(({ id }) => id === current.id)) return;
    left.current = null;
    const buttons = frame.current?.querySelectorAll<HTMLElement>('.order-actions > :last-child');
    (buttons?.[Math.min(current.index, orders.length - 1)] ?? frame.current)?.focus();
  }, [orders]);
  // A page without open orders may not show the table at all.
  useEffect(
    () => () => {
      if (left.current !== null) document.getElementById('main')?.focus({ preventScroll: true });
    },
    [],
  );
  const follow = ({ id }: ListedOrder): void => {
    left.current = { id, index: orders.findIndex((order) => order.id === id) };
  };
  return { frame, follow };
}

function useCancelling(onChange: () => void) {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<string | null>(null);
  const [announced, setAnnounced] = useState('');
  const cancel = async (order: ListedOrder): Promise<void> => {
    setRunning((before) => new Set([...before, order.id]));
    setError(null);
    try {
      const isCancelled = await cancelOrder(order.id);
      setAnnounced(isCancelled ? `Cancelled: ${orderName(order)}.` : 'The order has ended already.');
      onChange();
    } catch (failed) {
      setError(toCallError(failed).message);
    } finally {
      setRunning((before) => new Set([...before].filter((id) => id !== order.id)));
    }
  };
  return { cancel, error, isCancelling: (id: string) => running.has(id), announced };
}
