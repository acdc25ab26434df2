import { useMemo, useState } from 'preact/hooks';
import { useSession } from '../../data/session/session.tsx';
import type { CheckedReceipt } from '../../data/receipts/receipt.ts';
import { Notice } from '../../ui/notice.tsx';
import { ByHand } from './by-hand.tsx';
import { CheckPanel } from './check-panel.tsx';
import { Heads } from './heads.tsx';
import { ReceiptFiles } from './receipt-files.tsx';
import { ReceiptList } from './receipt-list.tsx';
import { useReceipts } from './use-receipts.ts';

/** Receipts of the person's orders, and the check that the public journal holds them. */
export default function Proof() {
  const { info, person } = useSession();
  const accountId = person?.accountId ?? null;
  const { receipts, heads, isRefused, change } = useReceipts(accountId);
  const [checking, setChecking] = useState<readonly CheckedReceipt[] | null>(null);
  const head = useMemo(() => heads[0] ?? null, [heads]);
  return (
    <>
      <h1>Proof</h1>
      <p>
        Each answer to an order is a receipt: the number of an event in the public journal, and its hash. The hash is
        made of the event and of the hash before it, so it stands for all that happened until then. This browser keeps
        the receipts of the orders that you send with it, and checks with its own processor that the journal still holds
        them.
      </p>
      {isRefused && (
        <Notice kind="warning">
          This browser keeps no receipts, as in a private window. You can still check one by hand.
        </Notice>
      )}
      {checking !== null && (
        <CheckPanel
          key={checking.map(({ seq, hash }) => `${seq}:${hash}`).join()}
          receipts={checking}
          head={head}
          onClose={() => setChecking(null)}
        />
      )}
      {info !== null && person === null && (
        <Notice kind="info">
          <a href="/sign-in">Sign in</a> to see the receipts of your orders.
        </Notice>
      )}
      {person !== null && (
        <>
          <ReceiptList receipts={receipts ?? []} onCheck={setChecking} />
          <ReceiptFiles accountId={person.accountId} receipts={receipts ?? []} change={change} />
        </>
      )}
      <Heads heads={heads} change={change} />
      <ByHand onCheck={setChecking} />
    </>
  );
}
