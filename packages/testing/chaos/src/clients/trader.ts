import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import { ApiRefusal, OutcomeUnknown, Unreachable } from 'paper-trading-client';
import type { AccountEvent, Api, CommandOptions, NewOrder, PaperTradingClient, Watch } from 'paper-trading-client';

/** Refusals that these orders can cause; each ends its order. */
const REFUSALS: ReadonlySet<string | null> = new Set(['insufficient_balance', 'insufficient_shares', 'limit_reached']);
const ORDERS_BETWEEN_CANCELS = 40;

/** A bot that places orders and watches its account through a connection that is cut repeatedly. */
export class ClientTrader {
  readonly orderIds: string[] = [];
  /** The events of its account, as short texts. */
  readonly events: string[] = [];
  readonly problems: string[] = [];
  refused = 0;
  /** Commands whose outcome was unknown, and which were repeated with their Idempotency-Key. */
  unknown = 0;
  resumes = 0;
  readonly #watch: Watch<AccountEvent>;

  /** `after`: the journal sequence from which its events are watched. */
  constructor(
    readonly name: string,
    readonly key: string,
    private readonly client: PaperTradingClient,
    private readonly marketId: string,
    private readonly random: Random,
    after: number,
  ) {
    this.#watch = client.watchAccount({}, { after });
  }

  /** Places orders until the signal aborts; the last one is answered. */
  async trade(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      await this.place(this.#order());
      if (this.random.chance(1 / ORDERS_BETWEEN_CANCELS)) await this.#cancelAll();
      await sleep(this.random.int(0, 60));
    }
  }

  /** Reads its stream until this order's event arrives. */
  async watchUntil(isLast: (event: AccountEvent) => boolean): Promise<void> {
    for await (const event of this.#watch) {
      if (event.resumed) this.resumes += 1;
      this.events.push(eventSummary(event));
      if (isLast(event)) return;
    }
  }

  /** Places an order, as a bot that follows the documentation does; null if it is refused. */
  async place(order: NewOrder): Promise<string | null> {
    for (let options: CommandOptions = {}; ;) {
      try {
        const { id } = await this.client.createOrder(order, options);
        this.orderIds.push(id);
        return id;
      } catch (error) {
        if (error instanceof OutcomeUnknown && error.idempotencyKey !== null) {
          this.unknown += 1;
          options = { idempotencyKey: error.idempotencyKey, firstSentAt: error.firstSentAt };
        } else if (error instanceof ApiRefusal && REFUSALS.has(error.code)) {
          this.refused += 1;
          return null;
        } else if (!(error instanceof Unreachable) && !(error instanceof ApiRefusal && error.status === 429)) {
          this.problems.push(`${this.name}: an order ended with ${String(error)}`);
          return null;
        }
      }
    }
  }

  async #cancelAll(): Promise<void> {
    try {
      await this.client.cancelAllOrders({ marketId: this.marketId });
    } catch (error) {
      // The command sets a state, so the next one makes up for this one.
      if (!(error instanceof OutcomeUnknown) && !(error instanceof Unreachable)) {
        this.problems.push(`${this.name}: a cancel of all ended with ${String(error)}`);
      }
    }
  }

  #order(): NewOrder {
    const outcome = this.random.pick(['yes', 'no'] as const);
    const price = this.random.int(40, 60) / 100;
    return { marketId: this.marketId, outcome, price, quantity: this.random.int(1, 5) };
  }
}

/** A short text that identifies an event of an account. */
export function eventSummary(one: Api.AccountEvent): string {
  switch (one.type) {
    case 'order':
      return `${one.seq} order ${one.order.id} ${one.order.status} ${one.order.filledQty}`;
    case 'fill':
      return `${one.seq} fill ${one.fill.id} ${one.fill.quantity}`;
    case 'cash':
      return `${one.seq} cash ${one.cash}`;
    case 'settled':
      return `${one.seq} settled`;
  }
}
