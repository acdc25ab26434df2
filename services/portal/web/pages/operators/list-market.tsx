import type { MarketBody } from '@paper/contracts/markets';
import type { NewMarket } from '@paper/contracts/operator';
import { useState } from 'preact/hooks';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Labeled } from '../../ui/field.tsx';
import { operatorCommand } from './operator-calls.ts';

const FIELDS = [
  'title',
  'id',
  'ticker',
  'companySlug',
  'sector',
  'category',
  'settlementSource',
  'prior',
  'closesAt',
  'status',
  'description',
  'citationUrl',
] as const;
type FieldName = (typeof FIELDS)[number];

const TEXT_FIELDS: readonly { readonly name: FieldName; readonly label: string; readonly hint?: string }[] = [
  { name: 'title', label: 'Title', hint: 'The question.' },
  { name: 'id', label: 'Id', hint: 'Optional: letters, digits, dots, underscores, colons and hyphens.' },
  { name: 'ticker', label: 'Ticker' },
  { name: 'companySlug', label: 'Company', hint: 'Such as acme.' },
  { name: 'sector', label: 'Sector' },
  { name: 'category', label: 'Category' },
  { name: 'settlementSource', label: 'Settlement source', hint: 'Where the outcome is read.' },
  { name: 'prior', label: 'Chance before the first trade', hint: '0.01 to 0.99' },
  { name: 'closesAt', label: 'Closes', hint: 'A time in UTC, such as 2028-12-31T23:59:00Z.' },
  { name: 'citationUrl', label: 'Citation', hint: 'Optional: an http or https address.' },
];

const STATUSES = [
  { value: 'active', text: 'Active: takes orders at once' },
  { value: 'pending', text: 'Scheduled: after it is activated' },
  { value: 'closed', text: 'Closed: after it is activated' },
] as const;

const EMPTY = Object.fromEntries(FIELDS.map((name) => [name, ''])) as Readonly<Record<FieldName, string>>;

export interface ListMarketProps {
  readonly onClose: () => void;
  readonly onDone: (message: string) => void;
}

/** Lists a new market. */
export function ListMarket({ onClose, onDone }: ListMarketProps) {
  const [values, setValues] = useState<Readonly<Record<FieldName, string>>>({ ...EMPTY, status: 'active' });
  const set = (name: FieldName, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  const submission = useSubmission<FieldName>({
    fields: FIELDS,
    send: async () => {
      const market = await operatorCommand<MarketBody>('POST', 'markets', listingOf(values));
      onDone(`${market.id} is listed.`);
    },
  });
  const { errors } = submission;
  return (
    <Dialog title="List a market" onClose={onClose}>
      <Form
        label="List a market"
        submission={submission}
        action="List the market"
        more={<Button onClick={onClose}>Cancel</Button>}
      >
        {TEXT_FIELDS.map(({ name, label, hint }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            autocomplete="off"
            value={values[name]}
            onValue={(value) => set(name, value)}
            error={errors[name]}
          />
        ))}
        <Labeled label="Description" hint="Optional" error={errors.description}>
          {(names) => (
            <textarea
              {...names}
              rows={4}
              value={values.description}
              onInput={({ currentTarget }) => set('description', currentTarget.value)}
            />
          )}
        </Labeled>
        <Choice
          label="Status"
          value={values.status as (typeof STATUSES)[number]['value']}
          options={STATUSES}
          onValue={(value) => set('status', value)}
          error={errors.status}
        />
      </Form>
    </Dialog>
  );
}

/** The listing's body. An empty optional field is left out; the service judges all others. */
function listingOf(values: Readonly<Record<FieldName, string>>): NewMarket {
  const { id, citationUrl, description, prior, status, ...texts } = values;
  return {
    ...texts,
    // An empty field is no number; the service then names the field.
    prior: prior.trim() === '' ? Number.NaN : Number(prior),
    status: status as NonNullable<NewMarket['status']>,
    ...(id === '' ? {} : { id }),
    ...(citationUrl === '' ? {} : { citationUrl }),
    ...(description === '' ? {} : { description }),
  };
}
