import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { meansOf } from '../../data/orders/means.ts';
import type { Means } from '../../data/orders/means.ts';
import { parseTyped, understood } from '../../data/orders/typed-number.ts';
import { DOLLARS_MAX, SHARES_MAX } from '../../data/orders/typed-order.ts';
import { useSession } from '../../data/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { countText, moneyText, OUTCOME_NAMES, OUTCOMES, priceText } from '../../ui/format.ts';
import { optionsOf, Segments } from '../../ui/segments.tsx';
import { costOf } from './cost-of.ts';
import type { FieldFaults } from './order-ticket-state.ts';
import { OrderTicket } from './order-ticket.tsx';
import { PAYOUT, TicketEntry } from './ticket-entry.tsx';
import { TicketMore } from './ticket-more.tsx';
import type { TicketFaults, TicketFormProps } from './ticket-props.ts';
import { ticketAddress, isInDollars } from './ticket.ts';
import type { Ticket } from './ticket.ts';
import { serviceNowMs } from '../../base/service-clock.ts';
import { effectText, estimate } from './order-estimate.ts';
import { readTicket } from './order-ticket-state.ts';

const SIDES = optionsOf('buy', 'sell');
const MODES = optionsOf('market', 'limit');
const UNITS = [
  { value: 'dollars', text: '$' },
  { value: 'shares', text: 'Shares' },
] as const;

export default function TicketForm(props: TicketFormProps) {
  const { market, quotes, ticket, onTicket, portfolio, isPast, opened, onClose } = props;
  const { info, person } = useSession();
  const [faults, setFaults] = useState<TicketFaults>({});
  const means = useMemo(() => (portfolio === null ? null : meansOf(portfolio, market.id)), [portfolio, market.id]);
  const form = useRef<HTMLFormElement>(null);
  const focus = (selector: string): void => form.current?.querySelector<HTMLElement>(selector)?.focus();
  // A visitor continues by signing up.
  const submit = useRef<() => void>(() => form.current?.querySelector<HTMLElement>('a.button')?.click());
  useEffect(() => {
    if (opened > 0) focus('input');
  }, [opened]);
  useEffect(() => {
    if (faults.attempt !== undefined) focus('[aria-invalid="true"]');
  }, [faults.attempt]);
  const cost = costOf(ticket.outcome, ticket.side, quotes);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit.current();
      }}
    >
      <TicketChoices ticket={ticket} quotes={quotes} onTicket={onTicket} onClose={onClose} />
      <TicketAmount ticket={ticket} faults={faults} means={means} cost={cost} onTicket={onTicket} />
      <p class="ticket-free quiet">
        {isPast ? 'The ticket trades now, not in the past.' : freeText(ticket, means, info !== null && person === null)}
      </p>
      <div class="ticket-act" aria-busy={info === null}>
        {person !== null && (
          <OrderTicket {...props} means={means} accountId={person.accountId} onFaults={setFaults} submit={submit} />
        )}
        {info !== null && person === null && (
          <>
            <div class="ticket-line" id="ticket-line">
              {ticket.amount !== '' && <EffectLine {...props} />}
            </div>
            <TicketEntry to={ticketAddress(market.id, ticket)} />
          </>
        )}
      </div>
      <details class="ticket-more">
        <summary>More</summary>
        <TicketMore ticket={ticket} faults={faults} onTicket={onTicket} />
      </details>
    </form>
  );
}

function TicketChoices(props: Pick<TicketFormProps, 'ticket' | 'quotes' | 'onTicket' | 'onClose'>) {
  const { ticket, quotes, onTicket, onClose } = props;
  const { kind, outcome, side } = ticket;
  return (
    <>
      <div class="ticket-row">
        <Segments label="Side" value={side} options={SIDES} onValue={(to) => onTicket({ side: to })} />
        <Segments
          label="Type"
          value={kind === 'market' ? 'market' : 'limit'}
          options={MODES}
          // A limit price is seldom meant as the price bound of a market order.
          onValue={(to) => onTicket(to === 'market' ? { kind: to, price: '' } : { kind: to })}
        />
        <Button kind="quiet" label="Close the ticket" onClick={onClose}>
          ✕
        </Button>
      </div>
      <div class="ticket-tiles">
        <Segments
          label="Outcome"
          value={outcome}
          options={OUTCOMES.map((each) => ({ ...each, note: priceText(costOf(each.value, side, quotes)) }))}
          onValue={(to) => onTicket({ outcome: to })}
        />
      </div>
    </>
  );
}

interface TicketAmountProps extends Pick<TicketFormProps, 'ticket' | 'onTicket'> {
  readonly faults: FieldFaults;
  readonly means: Means | null;
  readonly cost: number | null;
}

function TicketAmount({ ticket, faults, means, cost, onTicket }: TicketAmountProps) {
  const { kind, side } = ticket;
  return (
    <>
      <div class="ticket-row">
        {kind !== 'market' && (
          <NumberField
            label="Limit price"
            units="$%¢"
            value={ticket.price}
            isWrong={faults.price !== undefined}
            onValue={(price) => onTicket({ price })}
          />
        )}
        <NumberField
          label="Amount"
          unit={isInDollars(ticket) ? 'in $' : 'in shares'}
          units={isInDollars(ticket) ? '$¢' : ''}
          value={ticket.amount}
          isWrong={faults.amount !== undefined}
          onValue={(amount) => onTicket({ amount })}
        />
      </div>
      <div class="ticket-row">
        {[10, 100].map((more) => (
          <Button
            key={more}
            onClick={() => onTicket({ amount: String((parseTyped(ticket.amount)?.value ?? 0) + more) })}
          >
            +{more}
          </Button>
        ))}
        <Button
          disabled={means === null}
          onClick={() => means !== null && onTicket({ amount: String(mostOf(ticket, means, cost)) })}
        >
          Max
        </Button>
        {side === 'buy' && (
          <Segments label="Amount in" value={ticket.unit} options={UNITS} onValue={(unit) => onTicket({ unit })} />
        )}
      </div>
    </>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly unit?: string;
  readonly units: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onValue: (value: string) => void;
}

/** A number field. When the person leaves it, it shows the number as understood; the line below describes faults. */
function NumberField({ label, unit, units, value, isWrong, onValue }: NumberFieldProps) {
  return (
    <label class="ticket-number">
      <span>
        {label}
        {unit !== undefined && <small> {unit}</small>}
      </span>
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        aria-describedby="ticket-line"
        aria-invalid={isWrong}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        onChange={({ currentTarget }) => onValue(understood(currentTarget.value, units))}
      />
    </label>
  );
}

function mostOf(ticket: Ticket, { free, shares }: Means, cost: number | null): number {
  const { outcome, price, side } = ticket;
  if (side === 'sell') return Math.min(shares[outcome].held - shares[outcome].offered, SHARES_MAX);
  if (isInDollars(ticket)) return Math.floor(Math.min(free, DOLLARS_MAX) * 100) / 100;
  const limit = Number(understood(price === '' ? String(cost) : price, '$%¢'));
  return limit > 0 ? Math.min(Math.floor(free / limit + 1e-9), SHARES_MAX) : 0;
}

function freeText({ outcome, side }: Ticket, means: Means | null, isVisitor: boolean): string {
  if (isVisitor) return PAYOUT;
  if (means === null) return '\u00a0';
  if (side === 'buy') return `${moneyText(means.free)} free`;
  const { held, offered } = means.shares[outcome];
  return `${countText(held - offered)} ${OUTCOME_NAMES[outcome]} to sell`;
}

/** The effect or fault of a visitor's order, estimated by the book: only signed-in people get the service's preview. */
function EffectLine({ market, book, ticket }: Pick<TicketFormProps, 'market' | 'book' | 'ticket'>) {
  const { faults, item } = readTicket(ticket, market, serviceNowMs());
  if (item === null) return <span class="field-error">{Object.values(faults).join(' ')}</span>;
  return <>{book === null ? '' : effectText(item, estimate(item, book))}</>;
}
