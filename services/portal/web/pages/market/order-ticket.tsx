import type { MarketBody } from '@paper/contracts/markets';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallError, toCallError } from '../../base/call-error.ts';
import { isTransient } from '../../data/api/use-read.ts';
import { placeOrder } from '../../data/orders/order-calls.ts';
import { resultText } from '../../data/orders/order-words.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { OrderInput } from '../../data/orders/order-calls.ts';
import { refusalOf } from '../../data/orders/order-refusal.ts';
import { isInDollars, readTicket } from './order-ticket-state.ts';
import type { FieldFaults } from './order-ticket-state.ts';
import type { Quotes } from './market-head.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import type { Ticket } from './ticket.ts';
import { TicketFields } from './ticket-fields.tsx';
import { usePreview } from './use-preview.ts';
import { OUTCOME_NAMES } from '../../ui/format.ts';

export interface OrderTicketProps {
  readonly market: Pick<MarketBody, 'id' | 'tickSize'>;
  readonly accountId: string;
  readonly ticket: Ticket;
  readonly onTicket: (change: Partial<Ticket>) => void;
  readonly quotes: Pick<Quotes, 'bestYesAsk' | 'bestYesBid'>;
  /** Changes when the book has changed. */
  readonly bookTurn: number;
}

/** Places an order, after showing a preview. */
export default function OrderTicket({ market, accountId, quotes, ticket, onTicket, bookTurn }: OrderTicketProps) {
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // After an attempt the first invalid field gets the focus.
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  const sending = useSending(accountId);
  const { faults, item } = readTicket(ticket, market, Date.now());
  const { error, preview } = usePreview(item, bookTurn);
  const refusal = sending.error ?? error;
  const { shown, general } = wordsOf(ticket, faults, attempts > 0, refusal);
  const submit = (): void => {
    setAttempts((before) => before + 1);
    if (item !== null) void sending.send(item);
  };
  const change = (part: Partial<Ticket>): void => {
    sending.forget();
    onTicket(part);
  };
  return (
    <section class="card ticket" aria-labelledby="ticket-heading">
      <h2 id="ticket-heading">Order</h2>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TicketFields ticket={ticket} quotes={quotes} tickSize={market.tickSize} faults={shown} onTicket={change} />
        <PreviewPanel item={item} preview={preview} />
        {general !== null && <Notice kind="error">{general}</Notice>}
        <Button kind={ticket.side === 'buy' ? 'main' : 'danger'} type="submit" isBusy={sending.isBusy}>
          {ticket.side === 'buy' ? 'Buy' : 'Sell'} {OUTCOME_NAMES[ticket.outcome]}
        </Button>
        <p class="ticket-result" role="status">
          {sending.result}
        </p>
      </form>
    </section>
  );
}

interface Words {
  /** Errors beside the fields. */
  readonly shown: FieldFaults;
  /** About the whole order; null: nothing. */
  readonly general: string | null;
}

/** An empty field is wrong only once the person has tried to send the order. */
function wordsOf(ticket: Ticket, faults: FieldFaults | null, isSubmitted: boolean, refusal: CallError | null): Words {
  if (faults !== null) {
    const isFilledIn: Readonly<Record<string, boolean>> = {
      price: ticket.price.trim() !== '',
      quantity: ticket.quantity.trim() !== '',
      notional: ticket.notional.trim() !== '',
      expiresAt: true,
    };
    const shown = Object.entries(faults).filter(([field]) => isSubmitted || isFilledIn[field] === true);
    return { shown: Object.fromEntries(shown), general: null };
  }
  if (refusal === null) return { shown: {}, general: null };
  const { field, words } = refusalOf(refusal, isInDollars(ticket) ? 'notional' : 'quantity');
  return field === null ? { shown: {}, general: words } : { shown: { [field]: words }, general: null };
}

/** Sends orders. One whose answer was lost is sent again with the same key, so that it is placed once. */
function useSending(accountId: string) {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState('');
  const [error, setError] = useState<CallError | null>(null);
  const keys = useIdempotencyKey();
  const send = async (item: OrderInput): Promise<void> => {
    setIsBusy(true);
    setError(null);
    setResult('');
    try {
      const key = keys.keyOf(JSON.stringify(item));
      const { isReceiptStored, order } = await placeOrder(accountId, item, key);
      keys.settle();
      setResult(`${resultText(order)} ${isReceiptStored ? 'Its receipt is kept in this browser.' : ''}`);
    } catch (thrown) {
      const failed = toCallError(thrown);
      if (!isTransient(failed)) keys.settle();
      setError(isTransient(failed) ? uncertain(failed) : failed);
    } finally {
      setIsBusy(false);
    }
  };
  const forget = (): void => {
    setError(null);
    setResult('');
  };
  return { error, forget, isBusy, result, send };
}

/** No answer came, so the order may be placed or not. */
function uncertain({ code, message, retryAfterMs, status }: CallError): CallError {
  return new CallError(code, `${message} Send the same order again: it is placed once.`, status, retryAfterMs);
}
