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
  /** A number that changes when the book has changed. */
  readonly bookTurn: number;
  /** The person's portfolio; null if it is not known. */
  readonly portfolio: Pick<PortfolioBody, 'orders' | 'positions' | 'summary'> | null;
  /** Whether the page shows a past moment. */
  readonly isPast: boolean;
}

export interface TicketFormProps extends TicketPlaceProps {
  /** The number of times that the person has opened the ticket by its bar. The focus then moves into the ticket. */
  readonly opened: number;
  readonly onClose: () => void;
}

/** The faults of the fields, and the number of attempts to send the present order. */
export interface TicketFaults extends FieldFaults {
  readonly attempt?: number;
}
