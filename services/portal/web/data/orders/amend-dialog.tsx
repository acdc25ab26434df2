import { toCallError } from '../../base/call-error.ts';
import { isTransient } from '../api/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { readAmendment } from './amendment.ts';
import type { Amendment, AmendmentResult } from './amendment.ts';
import type { ListedOrder } from './open-orders.ts';
import { amendOrder } from './order-calls.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { moneyText, OUTCOME_NAMES } from '../../ui/format.ts';

export interface AmendDialogProps {
  readonly accountId: string;
  readonly order: ListedOrder;
  /** Gets whether the order was changed. */
  readonly onEnd: (isChanged: boolean) => void;
}

/** Changes the price or the total of an open order. */
export default function AmendDialog({ accountId, order, onEnd }: AmendDialogProps) {
  const { filledQty, id, outcome, price, quantity, side } = order;
  const keys = useIdempotencyKey();
  const amend = async (change: Amendment): Promise<void> => {
    try {
      await amendOrder(accountId, id, change, keys.keyOf(JSON.stringify([id, change])));
    } catch (failed) {
      if (!isTransient(toCallError(failed))) keys.settle();
      throw failed;
    }
  };
  return (
    <Dialog title="Amend the order" onClose={() => onEnd(false)}>
      <p>
        {side === 'buy' ? 'Buy' : 'Sell'} {OUTCOME_NAMES[outcome]}. A lower total at the same price keeps its place in
        the queue. Any other change takes the order to the end, and it may fill at once.
      </p>
      <FieldsForm
        label="Amend the order"
        action="Amend"
        fields={{
          price: {
            label: 'Price in dollars a share',
            inputMode: 'decimal',
            autocomplete: 'off',
            start: String(price),
          },
          quantity: {
            label: 'Total shares',
            hint: `${filledQty} of ${quantity} are filled.`,
            inputMode: 'numeric',
            autocomplete: 'off',
            start: String(quantity),
          },
        }}
        byCode={{ invalid_tick: 'price', insufficient_balance: 'quantity', insufficient_shares: 'quantity' }}
        below={(typed) => <p aria-live="polite">{effectText(order, readAmendment(order, typed))}</p>}
        check={(typed) => readAmendment(order, typed).faults ?? {}}
        send={async (typed) => {
          const { change } = readAmendment(order, typed);
          if (change !== null) await amend(change);
          onEnd(change !== null);
        }}
        more={
          <Button kind="quiet" onClick={() => onEnd(false)}>
            Keep order
          </Button>
        }
      />
    </Dialog>
  );
}

/** What the rest of an order costs or brings after a change; an empty text while something is wrong with it. */
function effectText(order: ListedOrder, { change, faults }: AmendmentResult): string {
  if (faults !== null) return '';
  const { filledQty, price, quantity, side } = order;
  const rest = (of: Amendment): string => moneyText((of.price ?? price) * ((of.quantity ?? quantity) - filledQty));
  const words = side === 'buy' ? 'The rest costs' : 'The rest brings';
  const limit = side === 'buy' ? 'at most' : 'at least';
  return `${words} ${limit} ${rest(change ?? {})}${change === null ? '' : `, before ${rest({})}`}.`;
}
