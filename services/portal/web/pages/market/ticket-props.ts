import type { MarketBody } from '@paper/contracts/markets';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import type { Book } from './ladder-rows.ts';
import type { BestPrices } from './market-head.tsx';
import type { FieldFaults } from './order-ticket-state.ts';
import type { Ticket } from './ticket.ts';

export interface TicketPlaceProps {
  readonly market: Pick<MarketBody, 'id' | 'tickSize'>;
  readonly quotes: BestPrices;
  readonly book: Book | null;
  readonly ticket: Ticket;
  readonly onTicket: (change: Partial<Ticket>) => void;
  /** Changes with the book, but seldom enough for previews. */
  readonly bookTurn: number;
  readonly portfolio: Pick<PortfolioBody, 'orders' | 'positions' | 'summary'> | null;
  readonly isPast: boolean;
}

export interface TicketFormProps extends TicketPlaceProps {
  /** The number of times that the person opened the ticket, each of which moves the focus into it. */
  readonly opened: number;
  readonly onClose: () => void;
}

/** The faults of the fields. `attempt`: how often the person tried to send the present order. */
export type TicketFaults = FieldFaults & Readonly<{ attempt?: number }>;
