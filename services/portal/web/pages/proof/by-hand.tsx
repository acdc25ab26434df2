import { useState } from 'preact/hooks';
import type { CheckedReceipt } from '../../data/receipts/receipt.ts';
import { isHash, isSequence } from '../../data/receipts/receipt.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';

interface Faults {
  readonly seq: string | null;
  readonly hash: string | null;
}

/** A receipt of a program: the headers X-Journal-Seq and X-Journal-Hash of an answer. */
export function ByHand({ onCheck }: { readonly onCheck: (receipts: readonly CheckedReceipt[]) => void }) {
  const [seq, setSeq] = useState('');
  const [hash, setHash] = useState('');
  const [faults, setFaults] = useState<Faults>({ seq: null, hash: null });
  const check = (): void => {
    const receipt = {
      seq: /^\d+$/.test(seq.trim()) ? Number(seq.trim()) : Number.NaN,
      hash: hash.trim().toLowerCase(),
    };
    const found: Faults = {
      seq: isSequence(receipt.seq) ? null : 'This must be a whole number from 1 on.',
      hash: isHash(receipt.hash) ? null : 'This must be 64 hex digits.',
    };
    setFaults(found);
    if (found.seq === null && found.hash === null) onCheck([receipt]);
  };
  return (
    <Section title="Check a receipt by hand">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        <Field
          label="Event"
          hint="The header X-Journal-Seq of an answer."
          inputMode="numeric"
          autocomplete="off"
          value={seq}
          onValue={setSeq}
          error={faults.seq}
        />
        <Field
          label="Hash"
          hint="The header X-Journal-Hash of the same answer."
          autocomplete="off"
          spellcheck={false}
          value={hash}
          onValue={setHash}
          error={faults.hash}
        />
        <div class="actions">
          <Button type="submit" kind="main">
            Check
          </Button>
        </div>
      </form>
    </Section>
  );
}
