import { type AccountEventView, accountEventBody, PULSE_INTERVAL_MS } from '@paper/contracts';
import type { EventStream, Lane } from '@paper/service-kit';

/** One stream of an account's events, and how far it has been told. */
export class AccountWatch {
  #stream: EventStream | null = null;
  #gone = false;

  constructor(
    readonly accountId: string,
    readonly keyId: string,
    /** All events of the account up to this sequence were told on this stream, or are none of its business. */
    public sentSeq: number,
    /** The primary account of the account's fleet. */
    private readonly fleetId = accountId,
  ) {}

  /** Where it waits for its turn. */
  get lane(): Lane {
    return { fleet: this.fleetId, account: this.accountId };
  }

  /** Ended, cut, or left by its client. */
  get gone(): boolean {
    return this.#gone;
  }

  /** What the client has not taken in. */
  get buffered(): number {
    return this.#stream?.buffered ?? 0;
  }

  opened(stream: EventStream): void {
    this.#stream = stream;
  }

  closed(): void {
    this.#gone = true;
  }

  /** Writes those of the events that were not told yet. All that there are up to `upTo` have to be among them. */
  send(events: readonly EventText[], upTo: number): void {
    const news = events.filter(({ seq }) => seq > this.sentSeq);
    if (news.length > 0) this.write(Buffer.concat(news.map(({ bytes }) => bytes)));
    this.sentSeq = Math.max(this.sentSeq, upTo);
  }

  write(bytes: Buffer): void {
    if (!this.#gone) this.#stream?.write(bytes);
  }

  drained(): Promise<void> {
    return this.#stream?.drained() ?? Promise.resolve();
  }

  /** Ends it cleanly; one that has not taken in all of it is cut, since nobody waits for it. */
  end(): void {
    this.#gone = true;
    if (this.buffered === 0) this.#stream?.end();
    else this.#stream?.cut();
  }

  cut(): void {
    this.#gone = true;
    this.#stream?.cut();
  }
}

/** One event as it is sent. */
export interface EventText {
  readonly seq: number;
  readonly accountId: string;
  readonly bytes: Buffer;
}

export function eventText(view: AccountEventView): EventText {
  const { seq, accountId } = view;
  return { seq, accountId, bytes: Buffer.from(`id: ${seq}\ndata: ${JSON.stringify(accountEventBody(view))}\n\n`) };
}

/** What a stream begins with. The id makes a client that loses it before the first event come back to this place. */
export function preamble(seq: number): Buffer {
  return Buffer.from(`retry: ${PULSE_INTERVAL_MS}\nid: ${seq}\n\n`);
}

export const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');
