import type { Actor, Command, ExchangeEvent, Outcome } from '@paper/exchange';
import type { Journal, StoredEvent } from '@paper/journal';
import { createRandom, testName, StoredExchange } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { marketId } from '../boards/fill.ts';
import { bid, EPOCH, listing, opening, OPERATOR } from './commands.ts';
import type { CommandBody } from './commands.ts';

const SEED = 5_004;
const TICK_UNITS = 100;
const START_AT = 1_790_000_000_000;
/** Bytes of texts in an append at most; the journal's limit is 1 MiB. */
const BATCH_BYTES = 900_000;

/** The size of a journal that is made for a measurement. */
export interface JournalSize {
  readonly accounts: number;
  readonly events: number;
  readonly markets: number;
}

/**
 * Fills a journal with this many events of a `BenchExchange`, which is garbage afterwards and does not disturb the
 * measurement. Gives the ids of its accounts, whose names are `testName`s.
 */
export async function fillJournal(
  journal: Journal,
  { accounts, events, markets }: JournalSize,
): Promise<readonly string[]> {
  const exchange = new BenchExchange(journal, markets);
  const opened = await exchange.open(accounts);
  await exchange.tradeUntil(events);
  return opened;
}

/**
 * An exchange with some history: markets, accounts with a key each, and then orders that rest, trade and are cancelled,
 * half of them with an Idempotency-Key. The same seed gives the same events.
 */
export class BenchExchange {
  readonly #random: Random = createRandom(SEED);
  readonly #live: { readonly id: string; readonly account: number }[] = [];
  readonly #accounts: { readonly id: string; readonly keyId: string }[] = [];
  readonly #exchange: StoredExchange;
  #at = START_AT;
  #batch: StoredEvent[] = [];
  #bytes = 0;

  constructor(
    private readonly journal: Journal,
    private readonly markets: number,
  ) {
    this.#exchange = new StoredExchange(journal, () => this.#random.hex(32));
  }

  /** Lists the markets and opens this many accounts, whose ids it returns. */
  async open(accounts: number): Promise<readonly string[]> {
    await this.#give({ kind: 'system' }, EPOCH);
    for (let n = 0; n < this.markets; n += 1) await this.#give(OPERATOR, listing(n, START_AT + 1_000_000_000_000));
    for (let n = 0; n < accounts; n += 1) {
      const [id, keyId] = [this.#id(), this.#id()];
      const keyHash = this.#random.hex(64);
      await this.#give(OPERATOR, opening({ accountId: id, keyHash, keyId, nameDigest: testName(id).nameDigest }));
      this.#accounts.push({ id, keyId });
    }
    return this.#accounts.map(({ id }) => id);
  }

  /** Trades until the journal has this many events. */
  async tradeUntil(events: number): Promise<void> {
    while (this.#exchange.head.seq < events) {
      if (this.#live.length > 0 && this.#random.chance(0.3)) await this.#cancel();
      else await this.#place();
    }
    await this.#flush();
  }

  async #place(): Promise<void> {
    const random = this.#random;
    const account = random.int(0, this.#accounts.length - 1);
    const orderId = this.#id();
    const outcome: Outcome = random.chance(0.5) ? 'yes' : 'no';
    const isTaking = random.chance(0.35);
    const order = bid({
      marketId: marketId(Math.min(random.int(0, this.markets - 1), random.int(0, this.markets - 1))),
      orderId,
      outcome,
      // Two bids that reach $1 together trade; resting orders bid less.
      priceUnits: TICK_UNITS * (isTaking ? random.int(50, 60) : random.int(35, 49)),
      quantity: random.int(1, 40),
      timeInForce: isTaking && random.chance(0.5) ? 'IOC' : 'GTC',
    });
    const events = await this.#give(this.#actor(account), order);
    const [placed] = events;
    if (placed?.type === 'OrderPlaced' && placed.restQuantity > 0) this.#live.push({ id: orderId, account });
  }

  /** The cancel of an order that has traded is refused, which leaves nothing in the journal. */
  async #cancel(): Promise<void> {
    const index = this.#random.int(0, this.#live.length - 1);
    const order = this.#live[index];
    const last = this.#live.pop();
    if (order === undefined || last === undefined) return;
    if (index < this.#live.length) this.#live[index] = last;
    await this.#give(this.#actor(order.account), { type: 'CancelOrder', orderId: order.id });
  }

  async #give(by: Actor, body: CommandBody): Promise<readonly ExchangeEvent[]> {
    const random = this.#random;
    this.#at += random.int(0, 20);
    const id = this.#id();
    const isIdempotent = by.kind === 'key' && random.chance(0.5);
    const idempotency = isIdempotent ? { fingerprint: random.hex(64), key: random.hex(16) } : null;
    const command = { ...body, at: this.#at, by, causationId: id, correlationId: id, id, idempotency } as Command;
    const { bytes, decision, stored } = this.#exchange.take(command);
    if (decision.kind !== 'accepted') return [];
    if (this.#bytes + bytes > BATCH_BYTES) await this.#flush();
    this.#batch.push(...stored);
    this.#bytes += bytes;
    return decision.events;
  }

  async #flush(): Promise<void> {
    const [first] = this.#batch;
    if (first === undefined) return;
    await this.journal.append(await this.journal.head(), this.#batch);
    this.#batch = [];
    this.#bytes = 0;
  }

  #actor(account: number): Actor {
    const { id = '', keyId = '' } = this.#accounts[account] ?? {};
    return { accountId: id, keyId, kind: 'key' };
  }

  #id(): string {
    return this.#random.uuid(this.#at);
  }
}
