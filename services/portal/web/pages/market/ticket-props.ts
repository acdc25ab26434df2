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
  /** Changes when the book has changed. */
  readonly bookTurn: number;
  /** Null: not known. */
  readonly portfolio: Pick<PortfolioBody, 'orders' | 'positions' | 'summary'> | null;
  /** Whether the page shows a past moment. */
  readonly isPast: boolean;
}

export interface TicketFormProps extends TicketPlaceProps {
  /** How often the person has opened the ticket by its bar; the focus then goes into it. */
  readonly opened: number;
  readonly onClose: () => void;
}

/** Faults of the fields, and how often the person has tried to send the order as it is. */
export interface TicketFaults extends FieldFaults {
  readonly attempt?: number;
}
