import type { SettledMarketBody } from '@paper/contracts/operator';
import { useState } from 'preact/hooks';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { settledText } from './market-dialog.ts';
import type { MarketDialogProps } from './market-dialog.ts';
import { operatorCommand } from './operator-calls.ts';
import { Payees } from './payees.tsx';
import { typedIdFault, TypedId } from './typed-id.tsx';
import { OUTCOME_NAMES } from '../../ui/format.ts';

const OUTCOMES = [
  { value: '', text: 'Choose the outcome' },
  { value: 'yes', text: OUTCOME_NAMES.yes },
  { value: 'no', text: OUTCOME_NAMES.no },
] as const;

/** Resolves a market, after showing who is paid. */
export function ResolveMarket({ market, onClose, onDone }: MarketDialogProps) {
  const [outcome, setOutcome] = useState<'' | 'yes' | 'no'>('');
  const [headline, setHeadline] = useState('');
  const [source, setSource] = useState('');
  const [citationUrl, setCitationUrl] = useState('');
  const [typed, setTyped] = useState('');
  const submission = useSubmission({
    fields: ['outcome', 'headline', 'source', 'citationUrl', 'typed'],
    check: () => ({
      ...(outcome === '' ? { outcome: 'Choose Yes or No.' } : {}),
      ...typedIdFault(market.id, typed),
    }),
    send: async () => {
      const settled = await operatorCommand<SettledMarketBody>(
        'POST',
        `markets/${encodeURIComponent(market.id)}/resolve`,
        {
          outcome,
          ...(headline === '' ? {} : { headline }),
          ...(source === '' ? {} : { source }),
          ...(citationUrl === '' ? {} : { citationUrl }),
        },
      );
      onDone(settledText(settled, outcome === '' ? '' : OUTCOME_NAMES[outcome]));
    },
  });
  const { errors } = submission;
  return (
    <Dialog title="Resolve this market?" onClose={onClose}>
      <p>{market.title}</p>
      <Form
        label="Resolve the market"
        submission={submission}
        action={outcome === '' ? 'Resolve' : `Resolve ${OUTCOME_NAMES[outcome]} for good`}
        kind="danger"
        more={<Button onClick={onClose}>Cancel</Button>}
      >
        <Choice label="Outcome" value={outcome} options={OUTCOMES} onValue={setOutcome} error={errors.outcome} />
        <Payees marketId={market.id} yesPrice={outcome === '' ? null : outcome === 'yes' ? 1 : 0} />
        <Field label="Headline" hint="Optional" value={headline} onValue={setHeadline} error={errors.headline} />
        <Field label="Source" hint="Optional" value={source} onValue={setSource} error={errors.source} />
        <Field
          label="Citation"
          hint="Optional: an http or https address."
          inputMode="url"
          value={citationUrl}
          onValue={setCitationUrl}
          error={errors.citationUrl}
        />
        <TypedId of="market" id={market.id} value={typed} onValue={setTyped} error={errors.typed} />
      </Form>
    </Dialog>
  );
}
