import type { AnswerOf, ApiAnswer } from 'paper-trading-client';
import type { Session } from '../sessions.ts';
import { answerOrToolError, ToolError } from '../tool-error.ts';
import { bindToPreview } from './bound-order.ts';
import type { BoundOrder, Preview } from './bound-order.ts';
import { CONFIRM_WITHIN_MS, newConfirmationId } from './confirmation.ts';
import type { Confirmation, Confirmations } from './confirmation.ts';
import type { OrderInput } from './order-input.ts';

type Placed = AnswerOf<'placeOrders'>;

export interface PreviewedOrder extends BoundOrder {
  readonly preview: Preview;
}

export interface PreparedOrders {
  readonly confirmation: string;
  readonly id: string;
  readonly expiresAt: number;
  readonly orders: readonly PreviewedOrder[];
  /** A sequence of the journal at which, or later, all previews were made. */
  readonly journalSeq: number;
}

export type ConfirmedOrder =
  | Extract<Placed['results'][number], { readonly ok: true }>
  | { readonly ok: false; readonly refusal: ToolError };

interface ConfirmedOrders {
  readonly answer: ApiAnswer<Placed>;
  readonly results: readonly ConfirmedOrder[];
  /** True if the orders were confirmed before, and the first answers are repeated. */
  readonly repeated: boolean;
}

/** How long orders may be sent again for their first answers: after 24 h the exchange forgets an Idempotency-Key. */
const REMEMBERED_MS = 23 * 3_600_000;

/**
 * An order that is always refused, since no market can have this id (`marketIdText`). The exchange compares its
 * Idempotency-Key first, so the refusal shows whether another order has used that key.
 */
const NEVER_PLACED: OrderInput = {
  marketId: 'signals',
  outcome: 'yes',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'IOC',
  price: 0.01,
  quantity: 1,
};

/**
 * The two steps of orders. Preparing previews them and signs what would be sent; confirming sends that as one batch.
 * Nothing is stored: the signed text contains everything needed, and its id is the batch's Idempotency-Key. So a text
 * places each of its orders at most once, however often and at whichever process it is confirmed.
 */
export class OrderSteps {
  /** `now`: ms since 1970 UTC. */
  constructor(
    private readonly confirmations: Confirmations,
    private readonly now: () => number,
  ) {}

  /** @throws ToolError with an order's refusal, or nothing_to_confirm; of several orders its text names the order. */
  async prepare(wanted: readonly OrderInput[], { api, me }: Session): Promise<PreparedOrders> {
    const previews = await Promise.all(
      wanted.map(async (order, at) => {
        try {
          const { body: preview, seq } = await answerOrToolError(api.answer('previewOrder', { body: order }));
          return { preview, seq, bound: boundTo(order, preview) };
        } catch (error) {
          throw wanted.length > 1 && error instanceof ToolError ? error.ofPart(`orders.${at}`) : error;
        }
      }),
    );
    const orders = previews.map(({ bound, preview }) => ({ ...bound, preview }));
    const id = newConfirmationId();
    const expiresAt = this.now() + CONFIRM_WITHIN_MS;
    const signed = orders.map(({ boundPrice, order }) => ({ order, boundPrice }));
    const confirmation = this.confirmations.sign({ id, keyId: me.keyId, orders: signed, expiresAt });
    return { confirmation, id, expiresAt, orders, journalSeq: Math.min(...previews.map(({ seq }) => seq)) };
  }

  /**
   * Places the orders of a text, or returns the first answers again. `orders`: the number that the text must have.
   * @throws ToolError `confirmation_invalid`, `confirmation_expired`, the refusal of all orders, or `unavailable` if
   * the outcome is unknown: confirming the same text again then returns it.
   */
  async confirm(text: string, session: Session, orders?: number): Promise<ConfirmedOrders> {
    const confirmation = this.#read(text, session, orders);
    const isExpired = this.now() > confirmation.expiresAt;
    const inTime = isExpired ? await this.#confirmedInTime(confirmation, session) : null;
    const sent = confirmation.orders.map(({ order }, at) => (inTime?.[at] === false ? NEVER_PLACED : order));
    // Sent only once, since another attempt could happen after the expiry.
    const answer = await answerOrToolError(send(sent, confirmation, session));
    const results = answer.body.results.map((result, at): ConfirmedOrder => {
      if (result.ok) return result;
      const isLate = inTime?.[at] === false;
      return { ok: false, refusal: isLate ? expired(confirmation) : new ToolError(result.code, result.error) };
    });
    const repeated = isExpired || answer.response.headers.get('idempotent-replayed') === 'true';
    return { answer, results, repeated };
  }

  /** Throws ToolError for a text that this key cannot confirm. */
  #read(text: string, { me }: Session, orders: number | undefined): Confirmation {
    if (text.startsWith('paper1.')) {
      throw new ToolError('confirmation_expired', 'This was prepared before an update of the service');
    }
    const confirmation = this.confirmations.read(text);
    if (confirmation === null) {
      const message = 'This is no text of prepare_order or prepare_orders, or it was changed';
      throw new ToolError('confirmation_invalid', message);
    }
    if (confirmation.keyId !== me.keyId) {
      throw new ToolError('forbidden', 'This was prepared with another key, which alone can confirm it');
    }
    if (orders !== undefined && confirmation.orders.length !== orders) {
      throw new ToolError('confirmation_invalid', 'This is a text of prepare_orders: pass it to confirm_orders');
    }
    return confirmation;
  }

  /**
   * For each order whether it was placed before the text expired: then the exchange has its Idempotency-Key, and
   * sending it again places nothing. @throws ToolError confirmation_expired if none was.
   */
  async #confirmedInTime(confirmation: Confirmation, session: Session): Promise<readonly boolean[]> {
    if (this.now() > confirmation.expiresAt + REMEMBERED_MS) throw expired(confirmation);
    const probes = confirmation.orders.map(() => NEVER_PLACED);
    const { body } = await answerOrToolError(send(probes, confirmation, session));
    const placed = body.results.map((result) => {
      if (result.ok) throw new Error('an order without a market was placed');
      const { code, error } = result;
      if (code !== 'idempotency_conflict' && code !== 'market_not_found') throw new ToolError(code, error);
      return code === 'idempotency_conflict';
    });
    if (!placed.includes(true)) throw expired(confirmation);
    return placed;
  }
}

function boundTo(order: OrderInput, preview: Preview): BoundOrder {
  const bound = bindToPreview(order, preview);
  if (bound !== null) return bound;
  const reason = preview.reason ?? 'no_liquidity';
  throw new ToolError('nothing_to_confirm', `Nothing of this order would fill or rest now (${reason})`);
}

function expired({ expiresAt }: Confirmation): ToolError {
  return new ToolError('confirmation_expired', `This could be confirmed until ${new Date(expiresAt).toISOString()}`);
}

function send(orders: readonly OrderInput[], { id }: Pick<Confirmation, 'id'>, { api }: Session) {
  return api.answer('placeOrders', { body: { orders } }, { idempotencyKey: id, retryForMs: 0 });
}
