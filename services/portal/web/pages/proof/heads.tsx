import { useState } from 'preact/hooks';
import type { SignedHead } from '../../data/receipts/signed-head.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { countText } from '../../ui/format.ts';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { FileField } from './file-field.tsx';
import type { StoredReceipts } from './use-receipts.ts';

export function Heads({ heads, change }: Pick<StoredReceipts, 'heads' | 'change'>) {
  const [failure, setFailure] = useState<string | null>(null);
  const take = async (text: string): Promise<string> => {
    const { readSignedHead } = await import('../../data/receipts/signed-head.ts');
    const head = readSignedHead(text);
    await change((store) => store.addHead(head));
    return `The head of event ${head.seq} is kept here. Its signature is good.`;
  };
  const remove = (head: SignedHead): void => {
    setFailure(null);
    change((store) => store.deleteHead(head)).catch((error: unknown) => setFailure(String(error)));
  };
  return (
    <Section title="Signed heads">
      <p>
        A head names the journal's last event with its hash. Who runs the service, or an auditor, signs one and gives it
        to others: no event up to it can be changed any more without being found out. Checks go on to the newest one.
      </p>
      <FileField
        label="Load a signed head"
        hint="A file that npm run audit -- head --sign has written."
        onText={take}
      />
      {failure !== null && <p class="field-error">{failure}</p>}
      {heads.length > 0 && (
        <Table
          caption="Heads that are kept here"
          columns={[
            { name: 'Event', isFigure: true, cell: ({ seq }) => countText(seq) },
            { name: 'Signed', cell: ({ at }) => <Time at={at} /> },
            { name: 'Key', cell: ({ publicKey }) => <code class="hash">{publicKey}</code> },
            {
              name: 'Action',
              cell: (head) => (
                <Button kind="quiet" onClick={() => remove(head)} label={`Remove the head of event ${head.seq}`}>
                  Remove
                </Button>
              ),
            },
          ]}
          rows={heads}
          keyOf={({ publicKey, seq }) => `${publicKey} ${seq}`}
        />
      )}
    </Section>
  );
}
