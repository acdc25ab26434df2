import { Check } from '../../ui/check.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import type { FieldFaults } from './order-ticket-state.ts';
import type { OrderKind, Ticket } from './ticket.ts';

type TicketMoreProps = Readonly<{ ticket: Ticket; faults: FieldFaults; onTicket: (change: Partial<Ticket>) => void }>;

const KINDS: readonly { readonly value: OrderKind; readonly text: string }[] = [
  { value: 'limit', text: 'Rests in the book' },
  { value: 'ioc', text: 'Is cancelled (immediate or cancel)' },
  { value: 'fok', text: 'Cancels it all (fill or kill)' },
];

/** The fields of an order that few people need. */
export function TicketMore({ ticket, faults, onTicket }: TicketMoreProps) {
  if (ticket.kind === 'market') {
    return (
      <Field
        label={`${ticket.side === 'buy' ? 'Maximum' : 'Minimum'} price per share (optional)`}
        inputMode="decimal"
        autocomplete="off"
        error={faults.price}
        value={ticket.price}
        onValue={(price) => onTicket({ price })}
      />
    );
  }
  return (
    <>
      <Choice
        label="What does not fill at once"
        value={ticket.kind}
        options={KINDS}
        onValue={(kind) => onTicket({ kind })}
      />
      {ticket.kind === 'limit' && (
        <>
          <Check isOn={ticket.postOnly} onChange={(postOnly) => onTicket({ postOnly })}>
            <span>Post-only: cancelled instead of taking shares</span>
          </Check>
          <Field
            label="Expires (optional)"
            type="datetime-local"
            error={faults.expiresAt}
            value={ticket.expiresAt}
            onValue={(expiresAt) => onTicket({ expiresAt })}
          />
        </>
      )}
    </>
  );
}
