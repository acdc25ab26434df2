import type { Receipt, ReceiptOrder } from '../../data/receipts/receipt.ts';

export interface ReceiptRow {
  readonly key: string;
  readonly at: string;
  readonly order: ReceiptOrder;
  readonly receipt: Receipt | null;
}

/** Receipts, and orders without one here, newest first. An amended order may have several receipts. */
export function receiptRows(
  receipts: readonly Receipt[],
  orders: readonly (ReceiptOrder & { readonly createdAt: string })[],
): readonly ReceiptRow[] {
  const withReceipt = new Set(receipts.map(({ order }) => order.id));
  const rows: ReceiptRow[] = receipts.map((receipt) => ({
    key: `receipt ${receipt.seq}`,
    at: receipt.receivedAt,
    order: receipt.order,
    receipt,
  }));
  for (const order of orders) {
    if (!withReceipt.has(order.id)) rows.push({ key: order.id, at: order.createdAt, order, receipt: null });
  }
  return rows.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}
