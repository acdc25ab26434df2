import { Choice, Field } from '../../ui/field.tsx';
import { priceText } from '../../ui/format.ts';
import { Segments } from '../../ui/segments.tsx';
import { costOf } from './cost-of.ts';
import type { Quotes } from './market-head.tsx';
import { canRest, isInDollars } from './order-ticket-state.ts';
import type { FieldFaults } from './order-ticket-state.ts';
import { OUTCOMES } from './outcomes.ts';
import type { OrderKind, Ticket } from './ticket.ts';

export interface TicketFieldsProps {
  readonly ticket: Ticket;
  readonly quotes: Pick<Quotes, 'bestYesAsk' | 'bestYesBid'>;
  readonly tickSize: number;
  readonly faults: FieldFaults;
  readonly onTicket: (change: Partial<Ticket>) => void;
}

const SIDES = [
  { value: 'buy', text: 'Buy' },
  { value: 'sell', text: 'Sell' },
] as const;

const AMOUNTS = [
  { value: 'shares', text: 'Shares' },
  { value: 'dollars', text: 'Dollars' },
] as const;

const KINDS: readonly { readonly value: OrderKind; readonly text: string; readonly hint: string }[] = [
  { value: 'limit', text: 'Limit', hint: 'What does not fill rests in the book.' },
  { value: 'market', text: 'Market', hint: 'Fills at once at the best prices; the rest is cancelled.' },
  { value: 'ioc', text: 'Immediate or cancel (IOC)', hint: 'Fills at once up to the price; the rest is cancelled.' },
  { value: 'fok', text: 'Fill or kill (FOK)', hint: 'Fills whole at once up to the price, or not at all.' },
];

/** The fields of an order ticket. */
export function TicketFields({ ticket, quotes, tickSize, faults, onTicket }: TicketFieldsProps) {
  const { kind, outcome, side } = ticket;
  return (
    <>
      <div class="ticket-sides">
        <Segments label="Side" hideLabel value={side} options={SIDES} onValue={(to) => onTicket({ side: to })} />
        <Segments
          label="Outcome"
          hideLabel
          value={outcome}
          options={OUTCOMES.map((each) => ({ ...each, note: priceText(costOf(each.value, side, quotes)) }))}
          onValue={(to) => onTicket({ outcome: to })}
        />
      </div>
      <Choice
        label="Type"
        value={kind}
        options={KINDS}
        hint={KINDS.find(({ value }) => value === kind)?.hint}
        // A limit is seldom meant as the bound of a market order.
        onValue={(to) => onTicket(to === 'market' ? { kind: to, price: '' } : { kind: to })}
      />
      <Field
        label={priceLabel(ticket)}
        inputMode="decimal"
        autocomplete="off"
        placeholder={tickSize.toFixed(2).length < String(tickSize).length ? String(tickSize) : tickSize.toFixed(2)}
        hint={`In steps of ${tickSize}`}
        error={faults.price}
        value={ticket.price}
        onValue={(price) => onTicket({ price })}
      />
      <Amount ticket={ticket} faults={faults} onTicket={onTicket} />
      {canRest(ticket) && <Resting ticket={ticket} faults={faults} onTicket={onTicket} />}
    </>
  );
}

type PartProps = Omit<TicketFieldsProps, 'quotes' | 'tickSize'>;

function Amount({ ticket, faults, onTicket }: PartProps) {
  const inDollars = isInDollars(ticket);
  return (
    <div class="ticket-amount">
      {inDollars ? (
        <Field
          label="Dollars at most"
          inputMode="decimal"
          autocomplete="off"
          error={faults.notional}
          value={ticket.notional}
          onValue={(notional) => onTicket({ notional })}
        />
      ) : (
        <Field
          label="Shares"
          inputMode="numeric"
          autocomplete="off"
          error={faults.quantity}
          value={ticket.quantity}
          onValue={(quantity) => onTicket({ quantity })}
        />
      )}
      {ticket.side === 'buy' && (
        <Segments
          label="Amount in"
          hideLabel
          value={ticket.amountIn}
          options={AMOUNTS}
          onValue={(amountIn) => onTicket({ amountIn })}
        />
      )}
    </div>
  );
}

/** The fields of an order that can rest. */
function Resting({ ticket, faults, onTicket }: PartProps) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={ticket.postOnly}
          onChange={({ currentTarget }) => onTicket({ postOnly: currentTarget.checked })}
        />
        <span>Post-only: cancelled instead of taking shares</span>
      </label>
      <Field
        label="Expires (optional)"
        type="datetime-local"
        error={faults.expiresAt}
        value={ticket.expiresAt}
        onValue={(expiresAt) => onTicket({ expiresAt })}
      />
    </>
  );
}

function priceLabel({ kind, side }: Ticket): string {
  if (kind !== 'market') return 'Price in dollars a share';
  return `${side === 'buy' ? 'Maximum' : 'Minimum'} price per share (optional)`;
}
