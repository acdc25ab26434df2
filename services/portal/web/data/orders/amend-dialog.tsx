import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { isTransient } from '../api/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { readAmendment } from './amendment.ts';
import type { Amendment, AmendmentFaults, AmendmentResult } from './amendment.ts';
import type { ListedOrder } from './open-orders.ts';
import { amendOrder } from './order-calls.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { refusalOf } from './order-refusal.ts';
import { moneyText, OUTCOME_NAMES } from '../../ui/format.ts';

export interface AmendDialogProps {
  readonly accountId: string;
  readonly order: ListedOrder;
  readonly onEnd: (isChanged: boolean) => void;
}

/** Changes the price or the total of an open order. */
export default function AmendDialog({ accountId, order, onEnd }: AmendDialogProps) {
  const [price, setPrice] = useState(String(order.price));
  const [quantity, setQuantity] = useState(String(order.quantity));
  const [faults, setFaults] = useState<AmendmentFaults>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const keys = useIdempotencyKey();
  const amend = async (): Promise<void> => {
    const read = readAmendment(order, { price, quantity });
    setFaults(read.faults ?? {});
    setFailure(null);
    if (read.change === null) {
      if (read.faults === null) onEnd(false);
      return;
    }
    setIsBusy(true);
    try {
      await amendOrder(accountId, order.id, read.change, keys.keyOf(JSON.stringify([order.id, read.change])));
      onEnd(true);
    } catch (thrown) {
      const failed = toCallError(thrown);
      if (!isTransient(failed)) keys.settle();
      const { field, words } = refusalOf(failed);
      if (field === null) setFailure(words);
      else setFaults({ [field === 'price' ? 'price' : 'quantity']: words });
      setIsBusy(false);
    }
  };
  return (
    <Dialog title="Amend the order" onClose={() => onEnd(false)}>
      <p>
        {order.side === 'buy' ? 'Buy' : 'Sell'} {OUTCOME_NAMES[order.outcome]}. A lower total at the same price keeps
        its place in the queue. Any other change takes the order to the end, and it may fill at once.
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void amend();
        }}
      >
        <Field
          label="Price in dollars a share"
          inputMode="decimal"
          autocomplete="off"
          value={price}
          onValue={setPrice}
          error={faults.price}
        />
        <Field
          label="Total shares"
          inputMode="numeric"
          autocomplete="off"
          hint={`${order.filledQty} of ${order.quantity} are filled.`}
          value={quantity}
          onValue={setQuantity}
          error={faults.quantity}
        />
        <p aria-live="polite">{effectText(order, readAmendment(order, { price, quantity }))}</p>
        {failure !== null && <Notice kind="error">{failure}</Notice>}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            Amend
          </Button>
          <Button kind="quiet" onClick={() => onEnd(false)}>
            Keep order
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the rest of an order would cost or bring in; empty if the change is invalid. */
function effectText(order: ListedOrder, { change, faults }: AmendmentResult): string {
  if (faults !== null) return '';
  const { filledQty, price, quantity, side } = order;
  const rest = (of: Amendment): string => moneyText((of.price ?? price) * ((of.quantity ?? quantity) - filledQty));
  const words = side === 'buy' ? 'The rest costs' : 'The rest brings';
  const limit = side === 'buy' ? 'at most' : 'at least';
  return `${words} ${limit} ${rest(change ?? {})}${change === null ? '' : `, before ${rest({})}`}.`;
}
