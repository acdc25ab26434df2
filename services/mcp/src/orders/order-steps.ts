import type { AnswerOf, ApiAnswer } from 'paper-trading-client';
import type { Session } from '../sessions.ts';
import { answered, ToolError } from '../tool-error.ts';
import { bindToPreview } from './bound-order.ts';
import type { BoundOrder, OrderInput, Preview } from './bound-order.ts';
import { CONFIRM_WITHIN_MS, newConfirmationId } from './confirmation.ts';
import type { Confirmation, Confirmations } from './confirmation.ts';

type PlacedOrder = AnswerOf<'placeOrder'>;

/** A prepared order. */
export interface PreparedOrder extends BoundOrder {
  /** The text that confirms it. */
  readonly confirmation: string;
  /** The Idempotency-Key of the order. */
  readonly id: string;
  /** ms since 1970 UTC. */
  readonly expiresAt: number;
  readonly preview: Preview;
  /** The sequence of the journal that the preview is true at. */
  readonly journalSeq: number;
}

/** A confirmed order. */
export interface ConfirmedOrder {
  readonly answer: ApiAnswer<PlacedOrder>;
  /** The order was confirmed before, and this is the first answer again. */
  readonly repeated: boolean;
}

/**
 * After this time the order is not sent again to get its first answer: the exchange stores an Idempotency-Key for 24 h,
 * and an order whose key was evicted would be placed twice.
 */
const REMEMBERED_MS = 23 * 3_600_000;

/**
 * An order that is always refused, as no market can have this id (`marketIdText`). Sent with an Idempotency-Key it
 * shows whether another order has used that key: the key is compared before the market is looked up.
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
 * The two steps of an order. Preparing previews it and signs what would be sent; confirming sends that. Nothing is
 * stored: the signed text has all that is needed, and its id is the order's Idempotency-Key. So a text places at most
 * one order, however often and at whichever process it is confirmed.
 */
export class OrderSteps {
  readonly #confirmations: Confirmations;
  readonly #now: () => number;

  /** @param now ms since 1970 UTC */
  constructor(confirmations: Confirmations, now: () => number) {
    this.#confirmations = confirmations;
    this.#now = now;
  }

  /** @throws ToolError of the order's refusal, or nothing_to_confirm. */
  async prepare(wanted: OrderInput, { api, me }: Session): Promise<PreparedOrder> {
    const previewed = await answered(api.answer('previewOrder', { body: wanted }));
    const preview = previewed.body;
    const bound = bindToPreview(wanted, preview);
    if (bound === null) {
      const reason = preview.reason ?? 'no_liquidity';
      throw new ToolError('nothing_to_confirm', `Nothing of this order would fill now (${reason})`);
    }
    const { boundPrice, order } = bound;
    const id = newConfirmationId();
    const expiresAt = this.#now() + CONFIRM_WITHIN_MS;
    const confirmation = this.#confirmations.sign({ id, keyId: me.keyId, order, boundPrice, expiresAt });
    return { ...bound, confirmation, id, expiresAt, preview, journalSeq: previewed.seq };
  }

  /**
   * Places the order of a text, or gives the first answer again.
   *
   * @throws ToolError of the order's refusal, `confirmation_invalid`, `confirmation_expired`, or `unavailable` where
   *   the outcome is unknown: confirming the same text again returns it.
   */
  async confirm(text: string, session: Session): Promise<ConfirmedOrder> {
    const confirmation = this.#confirmations.read(text);
    if (confirmation === null) {
      throw new ToolError('confirmation_invalid', 'This is not a text that prepare_order gave, or it was changed');
    }
    if (confirmation.keyId !== session.me.keyId) {
      throw new ToolError('forbidden', 'This order was prepared with another key, which alone can confirm it');
    }
    if (this.#now() > confirmation.expiresAt) await this.#assertConfirmedBefore(confirmation, session);
    // Sent once: another attempt could happen after the expiry.
    const answer = await answered(send(confirmation.order, confirmation, session));
    return { answer, repeated: answer.response.headers.get('idempotent-replayed') === 'true' };
  }

  /**
   * @throws ToolError confirmation_expired unless the exchange still has the order's Idempotency-Key, so that sending
   *   it again places none.
   */
  async #assertConfirmedBefore(confirmation: Confirmation, session: Session): Promise<void> {
    const expired = new ToolError(
      'confirmation_expired',
      `This order could be confirmed until ${new Date(confirmation.expiresAt).toISOString()}`,
    );
    if (this.#now() > confirmation.expiresAt + REMEMBERED_MS) throw expired;
    try {
      await answered(send(NEVER_PLACED, confirmation, session));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (error.code === 'idempotency_conflict') return;
      throw error.code === 'market_not_found' ? expired : error;
    }
    throw new Error('an order without a market was placed');
  }
}

function send(body: OrderInput, { id }: Pick<Confirmation, 'id'>, { api }: Session) {
  return api.answer('placeOrder', { body }, { idempotencyKey: id, retryForMs: 0 });
}
