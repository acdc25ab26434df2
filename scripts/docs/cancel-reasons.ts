import { CANCEL_CAUSES } from '@paper/contracts/orders';
import { table } from './made-part.ts';
import type { GeneratedSection } from './made-part.ts';

/** The table of docs/trade/order-tools.md: why an order, or the rest of one, is cancelled. */
export function reasonParts(): readonly GeneratedSection[] {
  const rows = Object.entries(CANCEL_CAUSES).map(([reason, cause]) => [`\`${reason}\``, cause]);
  return [{ file: 'docs/trade/order-tools.md', name: 'reasons', text: table(['reason', 'cause'], rows) }];
}
