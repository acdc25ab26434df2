import { useState } from 'preact/hooks';
import { useSession, useWayBack } from '../../data/session/session.tsx';
import type { CheckedReceipt } from '../../data/receipts/receipt.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { ByHand } from './by-hand.tsx';
import { CheckPanel } from './check-panel.tsx';
import { Heads } from './heads.tsx';
import { ReceiptFiles } from './receipt-files.tsx';
import { ReceiptList } from './receipt-list.tsx';
import { useReceipts } from './use-receipts.ts';

export default function Proof() {
  const { error, info, person } = useSession();
  const { signIn } = useWayBack();
  const accountId = person?.accountId ?? null;
  const { receipts, heads, isRefused, change } = useReceipts(accountId);
  const [checking, setChecking] = useState<readonly CheckedReceipt[] | null>(null);
  const head = heads[0] ?? null;
  return (
    <>
      <h1>Proof</h1>
      <p>
        No one can change an order of yours unseen once it is answered, not even who runs this exchange: your browser
        checks it itself.
      </p>
      {isRefused && (
        <Notice kind="warning">
          This browser keeps no receipts, as in a private window. You can still check one by hand.
        </Notice>
      )}
      <ReadNotice data={info} error={error} />
      {info !== null && person === null && (
        <Notice kind="info">
          <a href={signIn}>Sign in</a> to see the receipts of your orders.
        </Notice>
      )}
      {person !== null && (
        <div class="actions">
          <Button
            kind="main"
            disabled={receipts === null || receipts.length === 0}
            onClick={() => setChecking(receipts ?? [])}
          >
            Check all my trades
          </Button>
          <p class="quiet">This browser keeps a receipt of each order that you send with it.</p>
        </div>
      )}
      {checking !== null && (
        <CheckPanel
          key={checking.map(({ seq, hash }) => `${seq}:${hash}`).join()}
          receipts={checking}
          head={head}
          onClose={() => setChecking(null)}
        />
      )}
      {person !== null && <ReceiptList receipts={receipts ?? []} />}
      <details class="details">
        <summary>Details: hashes, files and signed heads</summary>
        <p>
          Each answer to an order is a receipt: the number of an event in the public journal, and its hash. The hash is
          made of the event and of the hash before it, so it stands for all that happened until then. This browser keeps
          the receipts of the orders that you send with it, and checks with its own processor that the journal still
          holds them.
        </p>
        {person !== null && <ReceiptFiles accountId={person.accountId} receipts={receipts ?? []} change={change} />}
        <Heads heads={heads} change={change} />
        <ByHand onCheck={setChecking} />
      </details>
    </>
  );
}
