import { text } from '@paper/contracts';
import { z } from 'zod';

export const marketId = text(1, 200).meta({ description: 'The id of the market, as search_markets gives it.' });

const orderIdNote = 'The id of the order, as list_orders or confirm_order gives it.';
export const orderId = text(1, 200).meta({ description: orderIdNote });

export const cursor = text(1, 500).optional().meta({ description: 'The `nextCursor` of the page before.' });

export function limit(usual: number, most: number) {
  return z.int().min(1).max(most).default(usual).meta({ description: 'The most items.' });
}
