import { serviceNowMs } from '../../base/service-clock.ts';
import { useEffect, useState } from 'preact/hooks';
import type { MutableRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Means } from '../../data/orders/means.ts';
import { refusalOf } from '../../data/orders/order-refusal.ts';
import { useSession } from '../../data/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { moneyText, OUTCOME_NAMES } from '../../ui/format.ts';
import { effectText, estimate, shortageText, totalOf } from './order-estimate.ts';
import { readTicket } from './order-ticket-state.ts';
import type { FieldFaults } from './order-ticket-state.ts';
import type { TicketFaults, TicketPlaceProps } from './ticket-props.ts';
import { usePreview } from './use-preview.ts';
import { useSending } from './use-sending.ts';

export interface OrderTicketProps extends Omit<TicketPlaceProps, 'quotes' | 'isPast' | 'portfolio'> {
  readonly means: Means | null;
  readonly accountId: string;
  readonly onFaults: (faults: TicketFaults) => void;
  readonly submit: MutableRef<() => void>;
}

export function OrderTicket(props: OrderTicketProps) {
  const { market, accountId, ticket, onTicket, onFaults, submit, bookTurn, book, means } = props;
  const { amount, outcome, price, side } = ticket;
  const { info } = useSession();
  const [attempt, setAttempt] = useState(0);
  const sending = useSending(accountId, market.id, () => {
    setAttempt(0);
    // Otherwise another Enter would trade again.
    onTicket({ amount: '' });
  });
  const { faults, item } = readTicket(ticket, market, serviceNowMs());
  const { error, preview } = usePreview(item, bookTurn);
  const effect = item === null ? null : (preview ?? (book === null ? null : estimate(item, book)));
  const refused = sending.errorOf(item) ?? error;
  const refusal = refused === null || item === null ? null : refusalOf(refused);
  const isShort = refused?.code.startsWith('insufficient_') === true;
  const words =
    isShort && item !== null && effect !== null && means !== null
      ? shortageText(item, totalOf(side, effect), means)
      : (refusal?.words ?? null);
  // An empty field is shown as wrong only after an attempt to send the order.
  const isTyped = { amount: amount.trim() !== '', price: price.trim() !== '', expiresAt: true };
  const shown = Object.entries({
    ...faults,
    ...(refusal === null || refusal.field === null ? {} : { [refusal.field]: words }),
  } as FieldFaults).filter(([field]) => attempt > 0 || isTyped[field as keyof typeof isTyped]);
  useEffect(() => {
    onFaults({ ...(Object.fromEntries(shown) as FieldFaults), ...(attempt > 0 ? { attempt } : {}) });
  }, [JSON.stringify(shown), attempt, onFaults]);
  const { isBusy, result } = sending;
  const isDone = result !== null && (amount === '' || isBusy || result.isOfBefore);
  submit.current = () => {
    if (isBusy) return;
    setAttempt((before) => before + 1);
    if (item !== null) void sending.send(item, preview);
  };
  const total = effect === null || isShort ? null : totalOf(side, effect);
  const problem = shown.length > 0 ? shown.map(([, text]) => text).join(' ') : words;
  return (
    <>
      <div class="ticket-line" id="ticket-line">
        {problem !== null ? (
          <p class="field-error" role="alert">
            {problem}{' '}
            {isShort && side === 'buy' && (means?.reservedBy ?? 0) > 0 && <a href="/portfolio">Your orders</a>}
          </p>
        ) : (
          effect !== null && item !== null && !isBusy && <p>{effectText(item, effect)}</p>
        )}
        <p class="ticket-result" role="status">
          {isDone && result.text}{' '}
          {isDone && result.bought > 0 && (
            <Button
              kind="quiet"
              onClick={() => onTicket({ side: 'sell', kind: 'market', price: '', amount: String(result.bought) })}
            >
              Sell
            </Button>
          )}{' '}
          {isDone && result.bought > 0 && info?.needsRecoveryCodes === true && (
            <Link href="/account">Store recovery codes</Link>
          )}
        </p>
      </div>
      <button type="submit" class={`button trade ${side} ${outcome}`} aria-busy={isBusy} disabled={isBusy}>
        {side === 'buy' ? 'Buy' : 'Sell'} {OUTCOME_NAMES[outcome]}
        {total !== null && total > 0 && ` · ${moneyText(total)}`}
      </button>
    </>
  );
}
