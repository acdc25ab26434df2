import type { Receipt, ReceiptOrder } from '../../data/receipts/receipt.ts';

/** The rows of the list, newest first: receipts, and orders without a receipt. An order may have several receipts. */
export function receiptRows(
  receipts: readonly Receipt[],
  orders: readonly (ReceiptOrder & { readonly createdAt: string })[],
) {
  const withReceipt = new Set(receipts.map(({ order }) => order.id));
  const rows = [
    ...receipts.map(({ order, receivedAt, seq }) => ({ key: `receipt ${seq}`, at: receivedAt, order, isStored: true })),
    ...orders
      .filter(({ id }) => !withReceipt.has(id))
      .map((order) => ({ key: order.id, at: order.createdAt, order, isStored: false })),
  ];
  return rows.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}
