import { useEffect, useRef, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { lazy } from '../../base/lazy.tsx';
import { loadStyles } from '../../base/more-styles.ts';
import { useSession } from '../../data/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { OUTCOMES, priceText } from '../../ui/format.ts';
import { costOf } from './cost-of.ts';
import { PAYOUT, TicketEntry } from './ticket-entry.tsx';
import type { TicketFormProps, TicketPlaceProps } from './ticket-props.ts';
import { ticketAddress, isFilledIn } from './ticket.ts';
import type { Ticket } from './ticket.ts';

const TicketForm = lazy<TicketFormProps>(async () => {
  const [module] = await Promise.all([import('./ticket-form.tsx'), loadStyles('moreStyles')]);
  return module;
});

/** The order ticket. Until a visitor fills it in, only its button is loaded: most visits trade nothing. */
export function TicketPlace(props: TicketPlaceProps) {
  const { market, quotes, ticket, onTicket } = props;
  const { person } = useSession();
  // The first paint lacks the stored ticket, so only one in the address opens the form.
  const [isOpen, setIsOpen] = useState(isFilledIn(useSearch()));
  const [opened, setOpened] = useState(0);
  const section = useRef<HTMLElement>(null);
  const open = (change: Partial<Ticket>): void => {
    onTicket(change);
    setIsOpen(true);
    setOpened((before) => before + 1);
  };
  useEffect(() => {
    if (!isOpen && opened > 0) section.current?.querySelector<HTMLElement>('.ticket-bar button')?.focus();
  }, [isOpen, opened]);
  return (
    <section
      ref={section}
      class={`card ticket order-ticket${isOpen ? ' is-open' : ''}`}
      aria-labelledby="ticket-heading"
      onKeyDown={({ key }) => key === 'Escape' && setIsOpen(false)}
    >
      <h2 id="ticket-heading" class="unseen">
        Order
      </h2>
      {(isOpen || person !== null) && <TicketForm {...props} opened={opened} onClose={() => setIsOpen(false)} />}
      <div class="ticket-closed">
        <p class="quiet">{PAYOUT}</p>
        <div class="ticket-bar">
          {OUTCOMES.map(({ value, text }) => (
            <button
              key={value}
              type="button"
              class={`button trade buy ${value}`}
              aria-expanded={isOpen}
              onClick={() => open({ outcome: value })}
            >
              {text} {priceText(costOf(value, 'buy', quotes))}
            </button>
          ))}
        </div>
        <div class="ticket-row">
          {['10', '100'].map((amount) => (
            <Button key={amount} onClick={() => open({ amount })}>
              +${amount}
            </Button>
          ))}
        </div>
        <TicketEntry to={ticketAddress(market.id, ticket)} />
      </div>
    </section>
  );
}
