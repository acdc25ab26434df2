import type { PulseMessage } from '@paper/pulse';

/** A snapshot of markets in the form in which it is sent: each market is serialized once. */
export class SerializedSnapshot {
  readonly seq: number;
  readonly #ts: string;
  readonly #entries: ReadonlyMap<string, string>;

  constructor({ seq, pulse }: PulseMessage) {
    this.seq = seq;
    this.#ts = pulse.ts;
    this.#entries = new Map(pulse.markets.map((entry) => [entry.id, JSON.stringify(entry)]));
  }

  has(marketIds: readonly string[]): boolean {
    return marketIds.every((id) => this.#entries.has(id));
  }

  /** A `message` event with these markets (default: all), in this order, without those that are not in the snapshot. */
  event(marketIds: Iterable<string> = this.#entries.keys()): Buffer {
    const entries = Array.from(marketIds, (id) => this.#entries.get(id)).filter((entry) => entry !== undefined);
    return Buffer.from(
      `id: ${this.seq}\ndata: {"ts":${JSON.stringify(this.#ts)},"markets":[${entries.join(',')}]}\n\n`,
    );
  }
}
