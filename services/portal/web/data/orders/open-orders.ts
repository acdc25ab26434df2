import type { OrderBody } from '@paper/contracts/orders';

/** An order in a list, either of the API or of the portfolio, which leaves out the owner. */
export type ListedOrder = Omit<OrderBody, 'userId'>;

/** Whether an order still rests in the book. */
export function isOpen({ status }: Pick<OrderBody, 'status'>): boolean {
  return status === 'open' || status === 'partial';
}
