import type { OrderPreviewBody } from '@paper/contracts/orders';
import type { PositionBody } from '@paper/contracts/portfolio';
import { useEffect, useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { portalCall } from '../../data/api/calls.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import { placeOrder } from '../../data/orders/order-calls.ts';
import { resultText } from '../../data/orders/order-words.ts';
import { SHARES_MAX } from '../../data/orders/typed-order.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { countText, moneyText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';

export interface CloseDialogProps {
  readonly accountId: string;
  readonly position: PositionBody;
  readonly free: number;
  readonly onEnd: (result: string | null) => void;
}

/** Sells a position at the best prices of the book, after showing the expected proceeds. */
export function CloseDialog({ accountId, position, free, onEnd }: CloseDialogProps) {
  const { market, marketId, side: outcome, shares } = position;
  const quantity = Math.min(free, SHARES_MAX);
  const order = { marketId, outcome, side: 'sell', orderType: 'market', quantity } as const;
  const [preview, setPreview] = useState<OrderPreviewBody | string | null>(null);
  const keys = useIdempotencyKey();
  useEffect(() => {
    portalCall<OrderPreviewBody>('POST', '/portal/as/me/orders/preview', order).then(setPreview, (failed: unknown) =>
      setPreview(toCallError(failed).message),
    );
    // The order stays the same while the dialog is open.
  }, []);
  const name = `${countText(quantity)} ${OUTCOME_NAMES[outcome]}`;
  const isPossible = preview !== null && typeof preview !== 'string' && preview.filledQty > 0;
  return (
    <ConfirmDialog
      title={`Sell ${name}?`}
      action={isPossible ? `Sell ${countText(preview.filledQty)} · ${moneyText(-preview.cost)}` : 'Sell'}
      kind="main"
      cancel="Keep shares"
      disabled={!isPossible}
      send={async () => {
        const sold = await placeOrder(accountId, order, keys.keyOf(JSON.stringify(order)));
        onEnd(resultText(sold.order));
      }}
      onClose={() => onEnd(null)}
    >
      <p>{market.title}</p>
      <p aria-live="polite">{previewText(preview, quantity)}</p>
      {quantity < shares && (
        <p class="quiet">
          {free < shares
            ? `Open orders sell ${countText(shares - free)} of your ${countText(shares)} shares already.`
            : `An order sells ${SHARES_MAX} shares at most: close the rest of your ${countText(shares)} after it.`}
        </p>
      )}
    </ConfirmDialog>
  );
}

function previewText(preview: OrderPreviewBody | string | null, quantity: number): string {
  if (preview === null) return 'Looking at the book …';
  if (typeof preview === 'string') return preview;
  const { averagePrice, cost, filledQty } = preview;
  if (filledQty === 0) return 'There is no buyer now. Use Sell to offer the shares at a price of yours.';
  const brings = `at ${priceText(averagePrice)} on average, for ${moneyText(-cost)}`;
  if (filledQty === quantity) return `Sells all at the best prices now: ${brings}.`;
  return `Buyers take ${countText(filledQty)} of ${countText(quantity)} now: ${brings}. The other shares stay yours.`;
}
