import type { ChangeMessage, Message } from './format.ts';
import type { Place } from './skips.ts';
import { sideTakenBy } from './tape-event.ts';
import type { BookSide } from './tape-event.ts';

/** How far apart a trade and the decrease of its level may be, in messages and in ms. */
const JOIN_MESSAGES = 1_000;
const JOIN_MS = 2_000;

/** A message in its place, with its time by the tape's clock. */
export interface Entry<M extends Message = Message> {
  readonly atMs: number;
  readonly market: string;
  readonly place: Place;
  readonly message: M;
  /** The side whose level a trade decreases; null if the tape has no message about the decrease, and for other messages. */
  readonly joined: BookSide | null;
}

interface Waiting {
  entry: Entry;
  readonly number: number;
  readonly keys: readonly string[];
}

/**
 * Joins each trade with the decrease of its level (same market, side, price, size and venue's time) to one trade at the
 * place of the first. A snapshot ends the search, since it sets all levels anew. Holds at most 1,000 messages.
 */
export class TradeJoiner {
  #queue: Waiting[] = [];
  #start = 0;
  #number = 0;
  /** Trades and decreases that wait for their other part, the oldest first. */
  readonly #open = new Map<string, readonly Waiting[]>();
  readonly #snapshots = new Map<string, number>();

  /** Adds the next entry. Yields the entries that no later entry can change. */
  *push(entry: Entry): Generator<Entry> {
    this.#number += 1;
    yield* this.#ready(entry.atMs);
    const { market, message } = entry;
    if (message.kind === 'levels') this.#snapshots.set(market, this.#number);
    const { rest, sides } = partOf(message);
    const keysOf = (kind: string): readonly string[] =>
      sides.map((side) => `${kind} ${side} ${rest} ${this.#snapshots.get(market)} ${market}`);
    const other = keysOf(message.kind === 'trade' ? 'change' : 'trade')
      .map((key) => this.#open.get(key)?.[0])
      .find((waiting) => waiting !== undefined);
    if (other === undefined) {
      const waiting: Waiting = { entry, keys: keysOf(message.kind), number: this.#number };
      this.#queue.push(waiting);
      for (const key of waiting.keys) this.#open.set(key, [...(this.#open.get(key) ?? []), waiting]);
      return;
    }
    this.#leave(other);
    const [trade, change] = message.kind === 'trade' ? [message, other.entry.message] : [other.entry.message, message];
    other.entry = { ...other.entry, message: trade, joined: (change as ChangeMessage).side };
  }

  /** Yields the entries that still wait at the end of the tape. */
  *flush(): Generator<Entry> {
    yield* this.#ready(Number.POSITIVE_INFINITY);
  }

  *#ready(nowMs: number): Generator<Entry> {
    for (let first = this.#queue[this.#start]; first !== undefined; first = this.#queue[this.#start]) {
      if (first.number >= this.#number - JOIN_MESSAGES && first.entry.atMs >= nowMs - JOIN_MS) break;
      this.#start += 1;
      this.#leave(first);
      yield first.entry;
    }
    // The array is cut only seldom, since that moves all waiting entries.
    if (this.#start <= JOIN_MESSAGES) return;
    this.#queue = this.#queue.slice(this.#start);
    this.#start = 0;
  }

  #leave(waiting: Waiting): void {
    for (const key of waiting.keys) {
      const left = this.#open.get(key)?.filter((other) => other !== waiting) ?? [];
      if (left.length > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    }
  }
}

const SIDES = ['bid', 'ask'] as const;

/** What a trade and its decrease have in common. A trade without a side may belong to either side. */
function partOf(message: Message): { readonly sides: readonly BookSide[]; readonly rest: string } {
  if (message.kind === 'change' && message.deltaMicros < 0) {
    const rest = `${message.priceUnits} ${-message.deltaMicros} ${message.exchangeMs}`;
    return { sides: [message.side], rest };
  }
  if (message.kind !== 'trade' || message.movesLevel === true) return { sides: [], rest: '' };
  const rest = `${message.priceUnits} ${message.sizeMicros} ${message.exchangeMs}`;
  return { sides: message.taker === null ? SIDES : [sideTakenBy(message.taker)], rest };
}
