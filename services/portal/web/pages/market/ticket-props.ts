import type { MarketBody } from '@paper/contracts/markets';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import type { Book } from './ladder-rows.ts';
import type { Quotes } from './market-head.tsx';
import type { FieldFaults } from './order-ticket-state.ts';
import type { Ticket } from './ticket.ts';

export interface TicketPlaceProps {
  readonly market: Pick<MarketBody, 'id' | 'tickSize'>;
  readonly quotes: Pick<Quotes, 'bestYesAsk' | 'bestYesBid'>;
  readonly book: Book | null;
  readonly ticket: Ticket;
  readonly onTicket: (change: Partial<Ticket>) => void;
  /** Changes with the book. */
  readonly bookTurn: number;
  readonly portfolio: Pick<PortfolioBody, 'orders' | 'positions' | 'summary'> | null;
  readonly isPast: boolean;
}

export interface TicketFormProps extends TicketPlaceProps {
  /** How often the person has opened the ticket by its bar; the focus then moves into it. */
  readonly opened: number;
  readonly onClose: () => void;
}

/** `attempt`: how often the person has tried to send the present order. */
export interface TicketFaults extends FieldFaults {
  readonly attempt?: number;
}
