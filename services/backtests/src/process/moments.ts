import type { TapeEvent } from '@paper/tapes';

export class Moments {
  #next: IteratorResult<TapeEvent> | null = null;

  constructor(private readonly events: AsyncIterator<TapeEvent>) {}

  async peek(): Promise<number | null> {
    this.#next ??= await this.events.next();
    return this.#next.done === true ? null : this.#next.value.atMs;
  }

  async take(untilMs: number): Promise<readonly TapeEvent[]> {
    const taken: TapeEvent[] = [];
    for (let at = await this.peek(); at !== null && at <= untilMs; at = await this.peek()) {
      if (this.#next?.done === false) taken.push(this.#next.value);
      this.#next = null;
    }
    return taken;
  }
}
