import { receiptOf } from './receipt.ts';
import type { ReceiptOrder } from './receipt.ts';

/**
 * Stores the receipt of an answer to a command about an order, in this browser. Never rejects, since the order is valid
 * whether or not its receipt is stored. Returns whether the receipt is stored.
 * @param order the answer's body
 * @param headers the answer's headers
 */
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
