import type { CheckedReceipt } from '../../data/receipts/receipt.ts';
import { isHash, isSequence } from '../../data/receipts/receipt.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { Section } from '../../ui/section.tsx';

const FIELDS = {
  seq: { label: 'Event', hint: 'The header X-Journal-Seq of an answer.', inputMode: 'numeric', autocomplete: 'off' },
  hash: {
    label: 'Hash',
    hint: 'The header X-Journal-Hash of the same answer.',
    autocomplete: 'off',
    spellcheck: false,
  },
} as const;

type Typed = Readonly<Record<keyof typeof FIELDS, string>>;

function receiptOf({ seq, hash }: Typed): CheckedReceipt {
  return { seq: /^\d+$/.test(seq.trim()) ? Number(seq.trim()) : Number.NaN, hash: hash.trim().toLowerCase() };
}

function faultsOf(typed: Typed): Partial<Typed> {
  const { seq, hash } = receiptOf(typed);
  return {
    ...(isSequence(seq) ? {} : { seq: 'This must be a whole number from 1 on.' }),
    ...(isHash(hash) ? {} : { hash: 'This must be 64 hex digits.' }),
  };
}

export function ByHand({ onCheck }: { readonly onCheck: (receipts: readonly CheckedReceipt[]) => void }) {
  return (
    <Section title="Check a receipt by hand">
      <FieldsForm
        label="A receipt"
        action="Check"
        fields={FIELDS}
        isKept
        check={faultsOf}
        send={(typed) => {
          onCheck([receiptOf(typed)]);
          return Promise.resolve();
        }}
      />
    </Section>
  );
}
