interface Sent {
  readonly marketId: string;
  readonly seq: number;
  readonly bytes: Buffer;
}

class SentList {
  #items: Sent[] = [];
  #first = 0;

  push(sent: Sent): void {
    this.#items.push(sent);
  }

  takeOldest(): Sent | undefined {
    const oldest = this.#items[this.#first];
    if (oldest === undefined) return undefined;
    this.#first += 1;
    // Drops many items at a time, since an array's shift would move all that follow.
    if (this.#first > 64 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return oldest;
  }

  get isEmpty(): boolean {
    return this.#first === this.#items.length;
  }

  /** The items after a sequence, of which there are few, since readers resume soon. */
  after(seq: number): readonly Sent[] {
    let from = this.#items.length;
    while (from > this.#first && (this.#items[from - 1]?.seq ?? 0) > seq) from -= 1;
    return this.#items.slice(from);
  }
}

/** The latest changes on the book streams, up to a number of bytes, so that a reader can resume. */
export class BookHistory {
  readonly #all = new SentList();
  readonly #byMarket = new Map<string, SentList>();
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
    const ofMarket = this.#byMarket.get(marketId) ?? new SentList();
    this.#byMarket.set(marketId, ofMarket);
    ofMarket.push(sent);
    this.#all.push(sent);
    this.#bytes += bytes.length;
    while (this.#bytes > this.bytesMax) this.#dropOldest();
  }

  /** The changes of a market that were sent after this sequence; null if some of them have been dropped. */
  since(marketId: string, seq: number): Buffer | null {
    if (seq < (this.#unknown.get(marketId) ?? 0)) return null;
    return Buffer.concat((this.#byMarket.get(marketId)?.after(seq) ?? []).map(({ bytes }) => bytes));
  }

  #dropOldest(): void {
    const oldest = this.#all.takeOldest();
    if (oldest === undefined) return;
    const { bytes, marketId, seq } = oldest;
    this.#bytes -= bytes.length;
    this.#unknown.set(marketId, seq);
    const ofMarket = this.#byMarket.get(marketId);
    ofMarket?.takeOldest();
    if (ofMarket?.isEmpty === true) this.#byMarket.delete(marketId);
  }
}
