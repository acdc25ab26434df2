import type { OrderDetailBody, OrderPreviewBody } from '@paper/contracts/orders';
import { useEffect, useState } from 'preact/hooks';
import { CallError, toCallError } from '../../base/call-error.ts';
import { isAbort } from '../../data/api/calls.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import { findOrder, placeOrder } from '../../data/orders/order-calls.ts';
import type { OrderInput } from '../../data/orders/order-calls.ts';
import { resultText } from '../../data/orders/order-words.ts';
import { pause } from './pause.ts';

/** The sessionStorage key of the order that is being sent. */
const ON_ITS_WAY = 'paper-order';
const WAITING_MS = 3_000;
const LOOK_EVERY_MS = 2_000;
/** The exchange answers an order within a minute, or refuses it. */
const LOOKS_MAX = 30;

interface Result {
  readonly text: string;
  /** Shares that can be sold again. */
  readonly bought: number;
  /** Whether the order was sent before the page was reloaded: changes of the ticket do not remove its result. */
  readonly isOfBefore: boolean;
}

/** Sends orders. If an answer was lost, sends the same key again, which places the order once. */
export function useSending(accountId: string, marketId: string, onPlaced: () => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<Result | null>(null);
  const [failed, setFailed] = useState<{ readonly item: string; readonly error: CallError } | null>(null);
  const keys = useIdempotencyKey();
  useEffect(() => {
    const key = onItsWay(accountId, marketId);
    if (key === null) return undefined;
    const leaving = new AbortController();
    const say = (text: string): void => setResult({ text, bought: 0, isOfBefore: true });
    lookFor(key, say, leaving.signal).then(
      (order) => {
        noteOnItsWay(null);
        if (order === null) {
          say(LOST);
          return;
        }
        setResult({ ...resultOf(order, null, 'Your order from before: '), isOfBefore: true });
        onPlaced();
      },
      () => undefined,
    );
    return () => leaving.abort();
  }, [accountId, marketId]);

  const send = async (item: OrderInput, preview: OrderPreviewBody | null): Promise<void> => {
    setIsBusy(true);
    setFailed(null);
    setResult(null);
    const body = JSON.stringify(item);
    const key = keys.keyOf(body);
    noteOnItsWay([accountId, marketId, key]);
    const timer = setTimeout(() => setResult(WAITING), WAITING_MS);
    try {
      const { isReceiptStored, order } = await placeOrder(accountId, item, key);
      keys.settle();
      noteOnItsWay(null);
      const isSame = preview?.averagePrice === order.averagePrice && preview.filledQty === order.filledQty;
      const end = isReceiptStored ? ' Its receipt is kept in this browser.' : '';
      setResult(resultOf(order, isSame ? Math.abs(preview.cost) : null, '', end));
      onPlaced();
    } catch (thrown) {
      const error = toCallError(thrown);
      if (!error.isTransient) {
        keys.settle();
        noteOnItsWay(null);
      }
      setFailed({ item: body, error: error.isTransient ? uncertain(error) : error });
    } finally {
      clearTimeout(timer);
      setIsBusy(false);
    }
  };
  return {
    isBusy,
    result,
    send,
    /** Why this order was not placed; null if another was sent. */
    errorOf: (item: OrderInput | null): CallError | null =>
      item !== null && failed?.item === JSON.stringify(item) ? failed.error : null,
  };
}

const WAITING = { text: 'Waiting for the exchange. It is safe to leave.', bought: 0, isOfBefore: false };
const LOST = 'Your order from before has not reached the exchange. Look at your open orders before you send it again.';

function resultOf(order: OrderDetailBody, cost: number | null, before = '', after = ''): Result {
  return {
    text: `${before}${resultText(order, cost)}${after}`,
    bought: order.side === 'buy' ? order.filledQty : 0,
    isOfBefore: false,
  };
}

/** Looks for an order until the exchange has it; null if it does not arrive. Throws the reason of an abort. */
async function lookFor(key: string, say: (text: string) => void, signal: AbortSignal): Promise<OrderDetailBody | null> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    try {
      return await findOrder(key, signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      say('Your order from before is not at the exchange yet. Looking again …');
    }
    await pause(LOOK_EVERY_MS, signal);
  }
  return null;
}

/** Adds what to do to an error after which the order may be placed or not. */
function uncertain({ code, message, retryAfterMs, status }: CallError): CallError {
  return new CallError(code, `${message} Send the same order again: it is placed once.`, status, retryAfterMs);
}

function noteOnItsWay(order: readonly [accountId: string, marketId: string, key: string] | null): void {
  try {
    if (order === null) sessionStorage.removeItem(ON_ITS_WAY);
    else sessionStorage.setItem(ON_ITS_WAY, JSON.stringify(order));
  } catch {
    // The browser does not let this site store anything.
  }
}

/** The idempotency key of the order that was being sent when the person left the page; null for none. */
function onItsWay(accountId: string, marketId: string): string | null {
  try {
    const [account, market, key] = JSON.parse(sessionStorage.getItem(ON_ITS_WAY) ?? '[]') as readonly string[];
    return account === accountId && market === marketId ? (key ?? null) : null;
  } catch {
    return null;
  }
}
