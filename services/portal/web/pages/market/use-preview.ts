import type { OrderPreviewBody } from '@paper/contracts/orders';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import type { CallError } from '../../base/call-error.ts';
import { portalCall } from '../../data/api/calls.ts';
import { LatestOnly } from './latest-only.ts';
import type { OrderInput } from '../../data/orders/order-calls.ts';
import { pause } from './pause.ts';

export interface PreviewState {
  /** Stays while the preview for a changed book is being read. */
  readonly preview: OrderPreviewBody | null;
  /** The refusal that the order would get, or why there is no preview. */
  readonly error: CallError | null;
}

/** Long enough that a typed number causes one request. */
const SETTLE_MS = 150;
const RETRY_MS = 2_000;
const NOTHING: PreviewState = { preview: null, error: null };

/** Previews an order after each change of it or of the book (`bookTurn`). A request for an earlier state is aborted. */
export function usePreview(item: OrderInput | null, bookTurn: number): PreviewState {
  const [state, setState] = useState<PreviewState & { readonly body: string }>({ ...NOTHING, body: '' });
  const latest = useRef(new LatestOnly());
  const [attempt, setAttempt] = useState(0);
  const body = item === null ? '' : JSON.stringify(item);
  useEffect(() => {
    const { current: requests } = latest;
    if (body === '') {
      requests.abort();
      return undefined;
    }
    let retry = 0;
    const read = async (signal: AbortSignal): Promise<OrderPreviewBody> => {
      await pause(SETTLE_MS, signal);
      return portalCall<OrderPreviewBody>('POST', '/portal/as/me/orders/preview', JSON.parse(body) as OrderInput, {
        signal,
      });
    };
    requests.run(read).then(
      (answer) => answer !== null && setState({ body, preview: answer.value, error: null }),
      (failed: unknown) => {
        const error = toCallError(failed);
        setState({ body, preview: null, error });
        if (!error.isTransient) return;
        const afterMs = error.retryAfterMs ?? RETRY_MS;
        retry = window.setTimeout(() => setAttempt((before) => before + 1), afterMs);
      },
    );
    return () => clearTimeout(retry);
  }, [body, bookTurn, attempt]);
  useEffect(() => () => latest.current.abort(), []);
  // A preview of another order is not shown for this one.
  return state.body === body && body !== '' ? state : NOTHING;
}
