import type { SettledMarketBody } from '@paper/contracts/operator';
import { useState } from 'preact/hooks';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { settledText } from './market-dialog.ts';
import type { MarketDialogProps } from './market-dialog.ts';
import { operatorCommand } from './operator-calls.ts';
import { Payees } from './payees.tsx';
import { typedIdFault, TypedId } from './typed-id.tsx';

/** Voids a market, after showing who is paid. */
export function VoidMarket({ market, onClose, onDone }: MarketDialogProps) {
  const [price, setPrice] = useState('');
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const yesPrice = priceOf(price);
  const submission = useSubmission({
    fields: ['price', 'reason', 'typed'],
    check: () => ({
      ...(yesPrice === null ? { price: 'Must be dollars from 0 to 1.' } : {}),
      ...(reason.trim() === '' ? { reason: 'Say why: everyone can read it.' } : {}),
      ...typedIdFault(market.id, typed),
    }),
    send: async () => {
      const path = `markets/${encodeURIComponent(market.id)}/void`;
      const settled = await operatorCommand<SettledMarketBody>('POST', path, { price: yesPrice, reason });
      onDone(settledText(settled, 'void'));
    },
  });
  const { errors } = submission;
  return (
    <Dialog title="Void this market?" onClose={onClose}>
      <p>{market.title}</p>
      <Form
        label="Void the market"
        submission={submission}
        action="Void for good"
        kind="danger"
        more={<Button onClick={onClose}>Cancel</Button>}
      >
        <Field
          label="What a Yes share pays"
          hint="Dollars from 0 to 1, such as 0.5. A No share pays the rest of a dollar."
          inputMode="decimal"
          autocomplete="off"
          value={price}
          onValue={setPrice}
          error={errors.price}
        />
        <Payees marketId={market.id} yesPrice={yesPrice} />
        <Field label="Reason" hint="Everyone can read it." value={reason} onValue={setReason} error={errors.reason} />
        <TypedId of="market" id={market.id} value={typed} onValue={setTyped} error={errors.typed} />
      </Form>
    </Dialog>
  );
}

/** Dollars from 0 to 1; null for any other text. */
function priceOf(text: string): number | null {
  if (!/^\s*\d*\.?\d+\s*$/.test(text)) return null;
  const price = Number(text);
  return price <= 1 ? price : null;
}
