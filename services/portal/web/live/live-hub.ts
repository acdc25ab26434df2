import type { AccountEventBody, PulseEntryBody } from '@paper/contracts';
import type { Clock } from '@paper/timing';
import { CONNECTING } from './live-state.ts';
import { LiveLeader, WANTS_EVERY_MS } from './live-leader.ts';
import type { BookStreamEvent } from './live-book.ts';
import type { LeaderMessage, LiveMessage, LiveStates, TabMessage } from './messages.ts';
import { joinWants, NO_WANTS } from './stream-plan.ts';
import type { Wants } from './stream-plan.ts';
import { TabElection } from './tab-election.ts';
import type { Locks } from './tab-election.ts';

/** What a part of a page watches, and what it does with what comes. */
export interface Watcher {
  readonly wants: Wants;
  readonly onPulse?: (entries: readonly PulseEntryBody[]) => void;
  readonly onBook?: (marketId: string, events: readonly BookStreamEvent[]) => void;
  /** `isGap`: events before these may be missing. */
  readonly onAccount?: (events: readonly AccountEventBody[], isGap: boolean) => void;
  readonly onStates?: (states: LiveStates) => void;
}

/** The part of a BroadcastChannel that the hub needs. */
export interface Channel {
  onmessage: ((event: { readonly data: LiveMessage }) => void) | null;
  postMessage(message: LiveMessage): void;
}

export interface LiveHubOptions {
  /** Joins the tabs of this browser; null: the tab serves itself. Without locks it has to be null. */
  readonly channel: Channel | null;
  readonly locks: Locks | null;
  /** A name of this tab that no other one has. */
  readonly tab: string;
  readonly timer: Pick<Clock, 'after'>;
  readonly fetch: typeof fetch;
}

const LOCK = 'paper-live';
const NO_STATES: LiveStates = { pulse: CONNECTING, books: {}, account: CONNECTING, isCrowded: false };

/**
 * Brings live data to the parts of a page. Of all tabs that are active, one holds the connections (`TabElection`); each
 * says to it what it wants, and takes what it says. A tab that is not active wants nothing and cannot be elected.
 */
export class LiveHub {
  readonly #options: LiveHubOptions;
  readonly #election: TabElection;
  readonly #watchers = new Set<Watcher>();
  #leader: LiveLeader | null = null;
  #isActive = false;
  #cancelRepeat = (): void => undefined;
  #states = NO_STATES;

  constructor(options: LiveHubOptions) {
    this.#options = options;
    this.#election = new TabElection(options.locks, LOCK, () => this.#lead());
    if (options.channel !== null) options.channel.onmessage = ({ data }) => this.#take(data);
  }

  /** The newest states of the connections. */
  get states(): LiveStates {
    return this.#states;
  }

  /** Whether this tab holds the connections. */
  get leads(): boolean {
    return this.#leader !== null;
  }

  /** Watches until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    this.#sayWants();
    return () => {
      this.#watchers.delete(watcher);
      this.#sayWants();
    };
  }

  /** The tab can be seen: it takes part. */
  activate(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    this.#election.stand();
    this.#sayWants();
    // Events were missed while it was not active.
    for (const { onAccount } of this.#watchers) onAccount?.([], true);
  }

  /** The tab is hidden or closed: others go on without it. */
  deactivate(): void {
    if (!this.#isActive) return;
    this.#isActive = false;
    this.#cancelRepeat();
    this.#send({ kind: 'gone', tab: this.#options.tab });
    this.#election.withdraw();
  }

  /** The network is there again. */
  retryNow(): void {
    this.#leader?.retryNow();
  }

  #lead(): () => void {
    const { timer, fetch } = this.#options;
    const leader = new LiveLeader({ timer, fetch, tell: (message) => this.#tell(message) });
    this.#leader = leader;
    // Each tab answers with what it wants, this one too.
    this.#tell({ kind: 'leads' });
    return () => {
      leader.stop();
      if (this.#leader === leader) this.#leader = null;
    };
  }

  #tell(message: LeaderMessage): void {
    this.#options.channel?.postMessage(message);
    this.#take(message);
  }

  #send(message: TabMessage): void {
    if (this.#leader === null) this.#options.channel?.postMessage(message);
    else this.#leader.take(message);
  }

  /** Says what the tab wants, now and from time to time. */
  #sayWants(): void {
    if (!this.#isActive) return;
    this.#cancelRepeat();
    this.#cancelRepeat = this.#options.timer.after(WANTS_EVERY_MS, () => this.#sayWants());
    const wants = this.#watchers.size === 0 ? NO_WANTS : joinWants([...this.#watchers].map((each) => each.wants));
    this.#send({ kind: 'wants', tab: this.#options.tab, wants });
  }

  #take(message: LiveMessage): void {
    switch (message.kind) {
      case 'wants':
      case 'gone':
        this.#leader?.take(message);
        return;
      case 'leads':
        this.#sayWants();
        return;
      case 'states':
        this.#states = message.states;
        for (const { onStates } of this.#watchers) onStates?.(message.states);
        return;
      case 'pulse':
        for (const { onPulse } of this.#watchers) onPulse?.(message.entries);
        return;
      case 'book':
        for (const { wants, onBook } of this.#watchers) {
          if (wants.bookIds.includes(message.marketId)) onBook?.(message.marketId, message.events);
        }
        return;
      case 'account':
        for (const { wants, onAccount } of this.#watchers) {
          if (wants.accountId === message.accountId) onAccount?.(message.events, message.isGap);
        }
    }
  }
}
