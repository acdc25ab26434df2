import { Fifo } from '@paper/runtime/queues';

interface Sent {
  readonly marketId: string;
  readonly seq: number;
  readonly bytes: Buffer;
}

/** The latest changes on the book streams, up to a number of bytes, so that a reader can resume. */
export class BookHistory {
  readonly #all = new Fifo<Sent>();
  readonly #byMarket = new Map<string, Fifo<Sent>>();
  readonly #remembered = new Set<string>();
  #bytes = 0;
  /** The last sequence of each market whose change was dropped. Resuming before it is not possible. */
  readonly #unknown: Map<string, number>;

  constructor(
    began: ReadonlyMap<string, number>,
    private readonly bytesMax: number,
  ) {
    this.#unknown = new Map(began);
  }

  /** Stores the changes of a market from now on, at its first reader; before that they need not be encoded. */
  remember(marketId: string): void {
    this.#remembered.add(marketId);
  }

  isRemembered(marketId: string): boolean {
    return this.#remembered.has(marketId);
  }

  skip(marketId: string, seq: number): void {
    this.#unknown.set(marketId, seq);
  }

  add(marketId: string, seq: number, bytes: Buffer): void {
    const sent = { bytes, marketId, seq };
    const ofMarket = this.#byMarket.get(marketId) ?? new Fifo<Sent>();
    this.#byMarket.set(marketId, ofMarket);
    ofMarket.push(sent);
    this.#all.push(sent);
    this.#bytes += bytes.length;
    while (this.#bytes > this.bytesMax) this.#dropOldest();
  }

  /** The changes of a market that were sent after this sequence; null if some of them have been dropped. */
  since(marketId: string, seq: number): Buffer | null {
    if (seq < (this.#unknown.get(marketId) ?? 0)) return null;
    const later = this.#byMarket.get(marketId)?.newestWhile((sent) => sent.seq > seq) ?? [];
    return Buffer.concat(later.map(({ bytes }) => bytes));
  }

  #dropOldest(): void {
    const oldest = this.#all.shift();
    if (oldest === undefined) return;
    const { bytes, marketId, seq } = oldest;
    this.#bytes -= bytes.length;
    this.#unknown.set(marketId, seq);
    const ofMarket = this.#byMarket.get(marketId);
    ofMarket?.shift();
    if (ofMarket?.size === 0) this.#byMarket.delete(marketId);
  }
}
