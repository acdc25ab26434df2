import { toCallError } from '../../base/call-error.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { moneyText, OUTCOME_NAMES } from '../../ui/format.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { readAmendment } from './amendment.ts';
import type { Amendment } from './amendment.ts';
import type { ListedOrder } from './open-orders.ts';
import { amendOrder } from './order-calls.ts';

type AmendDialogProps = Readonly<{ accountId: string; order: ListedOrder; onEnd: (isChanged: boolean) => void }>;

export default function AmendDialog({ accountId, order, onEnd }: AmendDialogProps) {
  const { filledQty, id, outcome, price, quantity, side } = order;
  const keys = useIdempotencyKey();
  const amend = async (change: Amendment): Promise<void> => {
    try {
      await amendOrder(accountId, id, change, keys.keyOf(JSON.stringify(change)));
    } catch (error) {
      if (!toCallError(error).isTransient) keys.settle();
      throw error;
    }
  };
  return (
    <Dialog title="Amend the order" onClose={() => onEnd(false)}>
      <p>
        {side === 'buy' ? 'Buy' : 'Sell'} {OUTCOME_NAMES[outcome]}. A lower total at the same price keeps its place in
        the queue. Any other change takes the order to the end, and it may fill at once.
      </p>
      <FieldsForm
        action="Amend"
        fields={{
          price: { label: 'Price in dollars a share', start: String(price), inputMode: 'decimal', autocomplete: 'off' },
          quantity: {
            label: 'Total shares',
            hint: `${filledQty} of ${quantity} are filled.`,
            start: String(quantity),
            inputMode: 'numeric',
            autocomplete: 'off',
          },
        }}
        byCode={{ invalid_tick: 'price', insufficient_balance: 'quantity', insufficient_shares: 'quantity' }}
        check={(typed) => readAmendment(order, typed).faults ?? {}}
        send={async (typed) => {
          const { change } = readAmendment(order, typed);
          if (change !== null) await amend(change);
          onEnd(change !== null);
        }}
        isKept
        cancel="Keep order"
        onCancel={() => onEnd(false)}
      >
        {(typed) => <p aria-live="polite">{effectText(order, readAmendment(order, typed))}</p>}
      </FieldsForm>
    </Dialog>
  );
}

/** A sentence about the cost or proceeds of the rest of an order; empty if the change is invalid. */
function effectText(order: ListedOrder, { change, faults }: ReturnType<typeof readAmendment>): string {
  if (faults !== null) return '';
  const { filledQty, price, quantity, side } = order;
  const rest = (of: Amendment): string => moneyText((of.price ?? price) * ((of.quantity ?? quantity) - filledQty));
  const words = side === 'buy' ? 'The rest costs' : 'The rest brings';
  const limit = side === 'buy' ? 'at most' : 'at least';
  return `${words} ${limit} ${rest(change ?? {})}${change === null ? '' : `, before ${rest({})}`}.`;
}
