import type { ComponentChildren } from 'preact';
import { Gain, Money, Price } from '../../ui/figures.tsx';
import { countText, moneyText } from '../../ui/format.ts';
import type { OrderInput } from '../../data/orders/order-calls.ts';
import { reasonText } from '../../data/orders/order-words.ts';
import type { Preview } from './use-preview.ts';

export interface PreviewPanelProps {
  readonly item: OrderInput | null;
  readonly preview: Preview | null;
}

/** The preview of the order. Its rows are always there, so that the layout does not shift when figures change. */
export function PreviewPanel({ item, preview }: PreviewPanelProps) {
  const isBuy = item?.side !== 'sell';
  const rests = preview === null ? 0 : restingShares(preview);
  const reason = preview?.reason ?? null;
  return (
    <section class="preview" aria-label="Preview of the order">
      <dl>
        <Line name="Fills now">
          {preview !== null && (
            <>
              <span class="number">{countText(preview.filledQty)}</span>
              {preview.averagePrice !== null && (
                <>
                  {' '}
                  at <Price value={preview.averagePrice} /> on average
                </>
              )}
            </>
          )}
        </Line>
        <Line name={isBuy ? 'Cost' : 'Proceeds'}>
          {preview !== null && <Money amount={isBuy ? preview.cost : -preview.cost} />}
        </Line>
        <Line name="Rests">
          {preview !== null && (
            <>
              <span class="number">{countText(rests)}</span>
              {rests > 0 && (
                <>
                  {' '}
                  at <Price value={preview.price} />
                  {preview.reserved > 0 && <>, reserves {moneyText(preview.reserved)}</>}
                </>
              )}
            </>
          )}
        </Line>
        <Line name={isBuy && item !== null ? `If ${item.outcome}` : 'If it fills'}>
          {preview !== null && item !== null && <Payout item={item} preview={preview} rests={rests} />}
        </Line>
        <Line name="Free cash after">{preview !== null && <Money amount={preview.freeCashAfter} />}</Line>
      </dl>
      <p class="preview-note" role="status">
        {reason !== null &&
          preview !== null &&
          `The order would be cancelled${ofRest(preview)}: ${reasonText(reason)}.`}
      </p>
    </section>
  );
}

/** The payout of the filled and resting shares of a buy, or the proceeds of a whole sale. */
function Payout({
  item,
  preview,
  rests,
}: {
  readonly item: OrderInput;
  readonly preview: Preview;
  readonly rests: number;
}) {
  if (item.side === 'sell') return <>brings {moneyText(rests * preview.price - preview.cost)}</>;
  const shares = preview.filledQty + rests;
  if (shares === 0) return <>–</>;
  return (
    <>
      pays <Money amount={shares} /> (<Gain amount={shares - preview.cost - preview.reserved} />)
    </>
  );
}

/** The shares that would rest in the book. */
export function restingShares({ filledQty, quantity, status }: Preview): number {
  return status === 'open' || status === 'partial' ? quantity - filledQty : 0;
}

function ofRest({ filledQty, quantity }: Preview): string {
  return filledQty > 0 ? ` for its other ${countText(quantity - filledQty)}` : '';
}

function Line({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children === false ? '–' : children}</dd>
    </div>
  );
}
