import { useState } from 'preact/hooks';
import { parseReceipts, receiptsText } from '../../data/receipts/receipt.ts';
import type { Receipt } from '../../data/receipts/receipt.ts';
import { DownloadButton } from '../../data/people/download-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { FileField } from './file-field.tsx';
import type { StoredReceipts } from './use-receipts.ts';

type ReceiptFilesProps = Pick<StoredReceipts, 'change'> & Readonly<{ accountId: string; receipts: readonly Receipt[] }>;

export function ReceiptFiles({ accountId, receipts, change }: ReceiptFilesProps) {
  const [isAsked, setIsAsked] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const take = async (text: string): Promise<string> => {
    const all = parseReceipts(text);
    const { added, known, conflicting } = await change((store) => store.add(all));
    const others = all.filter((receipt) => receipt.accountId !== accountId).length;
    const sentences = [`Receipts added: ${added}. Here already: ${known}.`];
    if (others > 0) sentences.push(`Of other accounts, and shown to those: ${others}.`);
    for (const { seq } of conflicting.slice(0, 5)) {
      sentences.push(`The receipt of event ${seq} was refused: one with another hash is kept here.`);
    }
    return sentences.join(' ');
  };
  const remove = (): void => {
    setIsAsked(false);
    setFailure(null);
    change((store) => store.clear(accountId)).catch((error: unknown) => setFailure(String(error)));
  };
  return (
    <Section title="Receipts as a file">
      <p>Receipts are only in this browser. Save them elsewhere: a browser may delete what pages keep.</p>
      <div class="actions">
        <DownloadButton
          disabled={receipts.length === 0}
          fileName="paper-trading-receipts.json"
          text={() => receiptsText(receipts)}
        >
          Save the receipts as a file
        </DownloadButton>
        {!isAsked && (
          <Button kind="quiet" disabled={receipts.length === 0} onClick={() => setIsAsked(true)}>
            Delete the receipts here
          </Button>
        )}
        {isAsked && (
          <>
            <Button kind="danger" onClick={remove}>
              Delete them for good
            </Button>
            <Button onClick={() => setIsAsked(false)}>Keep them</Button>
          </>
        )}
      </div>
      {failure !== null && <p class="field-error">{failure}</p>}
      <FileField label="Load receipts" hint="A file that was saved here or in another browser." onText={take} />
    </Section>
  );
}
