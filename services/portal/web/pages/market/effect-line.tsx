import { serviceNowMs } from '../../base/service-clock.ts';
import type { MarketBody } from '@paper/contracts/markets';
import { effectText, estimate } from './order-estimate.ts';
import type { Book } from './ladder-rows.ts';
import { readTicket } from './order-ticket-state.ts';
import type { Ticket } from './ticket.ts';

export interface EffectLineProps {
  readonly market: Pick<MarketBody, 'id' | 'tickSize'>;
  readonly book: Book | null;
  readonly ticket: Ticket;
}

/** The effect or the fault of a visitor's order: the service previews only for people who are signed in. */
export function EffectLine({ market, book, ticket }: EffectLineProps) {
  const { faults, item } = readTicket(ticket, market, serviceNowMs());
  if (item === null) return <span class="field-error">{Object.values(faults).join(' ')}</span>;
  return <>{book === null ? '' : effectText(item, estimate(item, book))}</>;
}
