import { useState } from 'preact/hooks';
import { toCallError } from '../api/call-error.ts';
import { Button } from '../ui/button.tsx';
import { Price } from '../ui/figures.tsx';
import { countText, priceText } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Cell, Table } from '../ui/table.tsx';
import { AmendDialog } from './amend-dialog.tsx';
import type { ListedOrder } from './open-orders.ts';
import { cancelOrder } from './order-calls.ts';

export interface OrdersTableProps<T extends ListedOrder> {
  readonly caption: string;
  readonly orders: readonly T[];
  /** Whether the person may amend and cancel them. */
  readonly mayChange: boolean;
  /** The first column's head and cell, such as the market; left out where all orders are of one market. */
  readonly first?: { readonly name: string; readonly cell: (order: T) => preact.ComponentChildren };
  /** Called after an order was changed or cancelled. */
  readonly onChange: () => void;
}

/** Open orders, with buttons to amend and to cancel each. */
export function OrdersTable<T extends ListedOrder>({
  caption,
  orders,
  mayChange,
  first,
  onChange,
}: OrdersTableProps<T>) {
  const [amended, setAmended] = useState<T | null>(null);
  const { cancel, error, isCancelling, said } = useCancelling(onChange);
  const columns = [
    ...(first === undefined ? [] : [{ name: first.name }]),
    { name: 'Order' },
    { name: 'Price', isFigure: true },
    { name: 'Filled', isFigure: true },
    ...(!mayChange ? [] : [{ name: 'Change', isFigure: true }]),
  ];
  return (
    <>
      {error !== null && <Notice kind="error">{error}</Notice>}
      <p class="unseen" role="status">
        {said}
      </p>
      <Table caption={caption} columns={columns}>
        {orders.map((order) => (
          <tr key={order.id}>
            {first !== undefined && <Cell>{first.cell(order)}</Cell>}
            <Cell>
              <span class={order.side === 'buy' ? 'gain' : 'loss'}>{order.side === 'buy' ? 'Buy' : 'Sell'}</span>{' '}
              {order.outcome.toUpperCase()}
            </Cell>
            <Cell isFigure>
              <Price value={order.price} />
            </Cell>
            <Cell isFigure>
              {countText(order.filledQty)} / {countText(order.quantity)}
            </Cell>
            {mayChange && (
              <Cell isFigure>
                <span class="order-actions">
                  <Button label={`Amend the order to ${orderName(order)}`} onClick={() => setAmended(order)}>
                    Amend
                  </Button>
                  <Button
                    label={`Cancel the order to ${orderName(order)}`}
                    isBusy={isCancelling(order.id)}
                    onClick={() => void cancel(order)}
                  >
                    Cancel
                  </Button>
                </span>
              </Cell>
            )}
          </tr>
        ))}
      </Table>
      {amended !== null && (
        <AmendDialog
          order={amended}
          onEnd={(isChanged) => {
            setAmended(null);
            if (isChanged) onChange();
          }}
        />
      )}
    </>
  );
}

/** An order in words: `buy 10 YES at 0.55`. */
export function orderName({ filledQty, outcome, price, quantity, side }: ListedOrder): string {
  return `${side} ${countText(quantity - filledQty)} ${outcome.toUpperCase()} at ${priceText(price)}`;
}

function useCancelling(onChange: () => void) {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const cancel = async (order: ListedOrder): Promise<void> => {
    setRunning((before) => new Set([...before, order.id]));
    setError(null);
    try {
      const isCancelled = await cancelOrder(order.id);
      setSaid(isCancelled ? `Cancelled: ${orderName(order)}.` : 'The order has ended already.');
      onChange();
    } catch (failed) {
      setError(toCallError(failed).message);
    } finally {
      setRunning((before) => new Set([...before].filter((id) => id !== order.id)));
    }
  };
  return { cancel, error, isCancelling: (id: string) => running.has(id), said };
}
