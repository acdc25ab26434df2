import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { MarketDialogProps } from './market-dialog.ts';
import { operatorCommand } from './operator-calls.ts';

/** Closes a market after a question, since its resting orders are cancelled. */
export function CloseMarket({ market, onClose, onDone }: MarketDialogProps) {
  const submission = useSubmission<never>({
    fields: [],
    send: async () => {
      await operatorCommand('POST', `markets/${encodeURIComponent(market.id)}/close`);
      onDone(`${market.id} is closed.`);
    },
  });
  return (
    <Dialog title="Close this market to trading?" onClose={onClose}>
      <p>{market.title}</p>
      <p>All its resting orders are cancelled. It can be activated again with a later closing time.</p>
      <Form
        label="Close the market"
        submission={submission}
        action={`Close ${market.id}`}
        kind="danger"
        more={<Button onClick={onClose}>Leave it open</Button>}
      />
    </Dialog>
  );
}
