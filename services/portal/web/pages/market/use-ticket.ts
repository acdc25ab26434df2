import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { noteOf, setNote } from '../../base/notes.ts';
import { ticketAddress, ticketOf } from './ticket.ts';
import type { Ticket } from './ticket.ts';

/** A changed address costs a slow phone more than a key press, and browsers limit such changes. */
const SETTLE_MS = 700;

/** The ticket in the address of a market's page, and the function that changes it, which is always the same. */
export function useTicket(marketId: string): readonly [Ticket, (change: Partial<Ticket>) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const [ticket, setTicket] = useState(() => startOf(search));
  const given = ticketAddress(marketId, ticketOf(search));
  const written = useRef(given);
  const change = useCallback((part: Partial<Ticket>): void => {
    if (part.kind !== undefined) setNote('ticket', part.kind === 'market' ? null : 'limit');
    setTicket((before) => ({ ...before, ...part }));
  }, []);
  useEffect(() => {
    // The person followed a link to this page.
    if (written.current !== given) setTicket(startOf(search));
    written.current = given;
  }, [given, search]);
  const wanted = ticketAddress(marketId, ticket);
  useEffect(() => {
    if (wanted === written.current) return undefined;
    const timer = window.setTimeout(() => {
      written.current = wanted;
      navigate(wanted, { replace: true });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wanted, navigate]);
  return [ticket, change];
}

/** The ticket of an address; its kind is that of the last order unless the address has one. */
function startOf(search: string): Ticket {
  const ticket = ticketOf(search);
  const isOpen = search.includes('kind=') || ticket.price !== '' || noteOf('ticket') === null;
  return isOpen ? ticket : { ...ticket, kind: 'limit' };
}
