import { receiptOf } from './receipt.ts';
import type { ReceiptOrder } from './receipt.ts';

/** Stores an answer's receipt. Returns whether it is stored; never rejects, since the order is valid without it. */
export async function storeReceipt(accountId: string, order: ReceiptOrder, headers: Headers): Promise<boolean> {
  const receipt = receiptOf(accountId, order, headers, new Date());
  if (receipt === null) return false;
  try {
    const { ReceiptStore } = await import('./receipt-store.ts');
    const store = await ReceiptStore.open();
    const { conflicting } = await store.add([receipt]).finally(() => store.close());
    return conflicting.length === 0;
  } catch {
    // A private window may have no storage, and the disk may be full.
    return false;
  }
}
