import { accountEventBody } from '@paper/contracts/accounts';
import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';
import type { AccountEventView } from '@paper/contracts/accounts';
import type { EventStream } from '@paper/http';
import type { Lane } from '@paper/runtime/queues';

export type WatchScope = 'account' | 'fleet';

/** One stream of the events of an account, or of a primary account with its sub-accounts (a fleet). */
export class AccountWatch {
  #stream: EventStream | null = null;
  #gone = false;

  constructor(
    readonly accountId: string,
    readonly keyId: string,
    readonly scope: WatchScope,
    /** The sequence up to which every event of the account, or the fleet, was sent on this stream. */
    public sentSeq: number,
    private readonly fleetId = accountId,
    /** The sequence at which the stream was opened; events up to it are missed ones. */
    private readonly openedSeq = sentSeq,
  ) {}

  get lane(): Lane {
    return { fleet: this.fleetId, account: this.accountId };
  }

  get gone(): boolean {
    return this.#gone;
  }

  get buffered(): number {
    return this.#stream?.buffered ?? 0;
  }

  opened(stream: EventStream): void {
    this.#stream = stream;
  }

  closed(): void {
    this.#gone = true;
  }

  get wanted(): { readonly accountIds: readonly string[]; readonly fleetIds: readonly string[] } {
    const ids = [this.accountId];
    return this.scope === 'fleet' ? { accountIds: [], fleetIds: ids } : { accountIds: ids, fleetIds: [] };
  }

  /** Writes those of all events up to `upTo` that were not sent yet. Returns how many of them the client had missed. */
  send(events: readonly EventText[], upTo: number): number {
    const news = events.filter(({ seq }) => seq > this.sentSeq);
    if (news.length > 0) this.write(Buffer.concat(news.map(({ bytes }) => bytes)));
    const isLive = this.sentSeq >= this.openedSeq;
    this.sentSeq = Math.max(this.sentSeq, upTo);
    return isLive ? 0 : news.filter(({ seq }) => seq <= this.openedSeq).length;
  }

  write(bytes: Buffer): void {
    if (!this.#gone) this.#stream?.write(bytes);
  }

  drained(): Promise<void> {
    return this.#stream?.drained() ?? Promise.resolve();
  }

  /** Ends the stream cleanly, or cuts it if the client has not received everything, since nothing waits for that. */
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

export interface EventText {
  readonly seq: number;
  readonly accountId: string;
  readonly bytes: Buffer;
}

/** The texts of events. Only the last of a sequence to an account has the `id`, so that none is lost between. */
export function eventTexts(views: readonly AccountEventView[]): EventText[] {
  const following = new Map<string, number>();
  return views
    .toReversed()
    .map((view) => {
      const { seq, accountId } = view;
      const id = following.get(accountId) === seq ? '' : `id: ${seq}\n`;
      following.set(accountId, seq);
      return { seq, accountId, bytes: Buffer.from(`${id}data: ${JSON.stringify(accountEventBody(view))}\n\n`) };
    })
    .reverse();
}

/** The beginning of a stream, with the id at which a client without an event resumes. */
export function preamble(seq: number): Buffer {
  return Buffer.from(`retry: ${PULSE_INTERVAL_MS}\nid: ${seq}\n\n`);
}

export const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');

export function byAccount(texts: readonly EventText[]): ReadonlyMap<string, readonly EventText[]> {
  const grouped = new Map<string, EventText[]>();
  for (const text of texts) {
    const own = grouped.get(text.accountId);
    if (own === undefined) grouped.set(text.accountId, [text]);
    else own.push(text);
  }
  return grouped;
}

/** The accounts whose events are sent on a stream. `fleets`: the accounts of each fleet, by the primary account. */
export function accountsOf({ accountId, scope }: AccountWatch, fleets: ReadonlyMap<string, readonly string[]>) {
  return scope === 'account' ? [accountId] : (fleets.get(accountId) ?? []);
}

export function textsOf(accountIds: readonly string[], texts: ReadonlyMap<string, readonly EventText[]>) {
  return accountIds.flatMap((id) => texts.get(id) ?? []).sort((a, b) => a.seq - b.seq);
}
