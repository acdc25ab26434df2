import type { OrderBody } from '@paper/contracts/orders';

/** An order of the API's list or of the portfolio, which leaves out the owner. */
export type ListedOrder = Omit<OrderBody, 'userId'>;

/** Whether an order still rests in the book. */
export function isOpen({ status }: Pick<OrderBody, 'status'>): boolean {
  return status === 'open' || status === 'partial';
}
