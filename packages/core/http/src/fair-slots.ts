import { RateLimited, Unavailable } from '@paper/contracts';
import { FairQueue } from '@paper/runtime';
import type { Lane } from '@paper/runtime';

export interface FairSlotsSettings {
  /** The limit of work that runs at the same time, for all accounts together. */
  readonly atOnce: number;
  /** The limit of work that runs at the same time for one account. */
  readonly atOncePerAccount: number;
  /** The limit of waiting requests of all accounts: more are refused as unavailable. */
  readonly waiting: number;
  /** The limit of waiting requests of one account: more are rate limited. */
  readonly waitingPerAccount: number;
  /** The time limit of a request including its wait, in ms; after that it is unavailable. */
  readonly waitMs: number;
  /** Keeps a slot empty for as long as its work took, at most 100 ms, so that work takes half of a core. Default false. */
  readonly rests?: boolean;
  /** Names the work in messages, such as `the journal`. */
  readonly what: string;
}

interface WaitingRequest {
  readonly account: Account;
  /** Answered already: its turn is skipped. */
  isAnswered: boolean;
  readonly begin: () => Promise<void>;
}

interface Account {
  readonly lane: Lane;
  /** Requests that are queued or running: at most `atOncePerAccount`. */
  active: number;
  waiting: number;
  /** Requests that enter the queue when an active one has ended. */
  readonly backlog: WaitingRequest[];
}

/** Work that takes longer has waited for most of it, such as for read models that are behind. */
const REST_MAX_MS = 100;

/**
 * Runs a bounded amount of work at once, and shares the slots fairly: fleets take turns, then the accounts of a fleet.
 * Work is aborted when its client has disconnected or it took too long; its slot is free once it has stopped.
 */
export class FairSlots {
  readonly #queue = new FairQueue<WaitingRequest>();
  readonly #accounts = new Map<string, Account>();
  #running = 0;
  #waiting = 0;

  constructor(private readonly settings: FairSlotsSettings) {}

  /** Requests that wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Accounts with requests that wait or run. */
  get accounts(): number {
    return this.#accounts.size;
  }

  /**
   * @param client aborts when the client has disconnected.
   * @throws RateLimited where too many of this account wait; Unavailable where too many of all do or it takes too long;
   * the reason of `client`; and the errors of the work.
   */
  use<T>(lane: Lane, client: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      client.throwIfAborted();
      const account = this.#admit(lane);
      const stopping = new AbortController();
      const request: WaitingRequest = {
        account,
        isAnswered: false,
        begin: () => {
          this.#leaveWaiting(account);
          isWaiting = false;
          return work(stopping.signal).then(
            (value) => end(() => resolve(value)),
            (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
          );
        },
      };
      let isWaiting = true;
      const end = (answer: () => void): void => {
        clearTimeout(timer);
        client.removeEventListener('abort', onClientGone);
        answer();
      };
      const cancel = (reason: Error): void => {
        request.isAnswered = true;
        if (isWaiting) this.#withdraw(request);
        end(() => reject(reason));
        stopping.abort(reason);
      };
      const onClientGone = (): void => cancel(client.reason as Error);
      const timer = setTimeout(
        () => cancel(this.#unavailable(`a request for ${this.settings.what} took too long`)),
        this.settings.waitMs,
      );
      client.addEventListener('abort', onClientGone, { once: true });
      this.#enter(request);
      this.#fill();
    });
  }

  #admit(lane: Lane): Account {
    const account = this.#accounts.get(lane.account) ?? { lane, active: 0, waiting: 0, backlog: [] };
    if (account.waiting >= this.settings.waitingPerAccount) {
      throw new RateLimited('too many requests of this account are waiting');
    }
    if (this.#waiting >= this.settings.waiting) {
      throw this.#unavailable(`too many requests for ${this.settings.what} are waiting`);
    }
    this.#accounts.set(lane.account, account);
    account.waiting += 1;
    this.#waiting += 1;
    return account;
  }

  #enter(request: WaitingRequest): void {
    const { account } = request;
    if (account.active >= this.settings.atOncePerAccount) {
      account.backlog.push(request);
      return;
    }
    account.active += 1;
    this.#queue.push(account.lane, request);
  }

  #fill(): void {
    while (this.#running < this.settings.atOnce) {
      const request = this.#queue.shift();
      if (request === undefined) return;
      if (request.isAnswered) {
        this.#release(request.account);
        continue;
      }
      this.#running += 1;
      const begunMs = performance.now();
      const free = (): void => {
        this.#running -= 1;
        this.#release(request.account);
        this.#fill();
      };
      void request.begin().then(() => {
        if (this.settings.rests === true) setTimeout(free, Math.min(REST_MAX_MS, performance.now() - begunMs));
        else free();
      });
    }
  }

  /** An active request has ended: the account's next one joins the end of the queue. */
  #release(account: Account): void {
    account.active -= 1;
    const next = account.backlog.shift();
    if (next !== undefined) this.#enter(next);
    else if (account.active === 0) this.#accounts.delete(account.lane.account);
  }

  #withdraw(request: WaitingRequest): void {
    const { account } = request;
    this.#leaveWaiting(account);
    const index = account.backlog.indexOf(request);
    if (index !== -1) account.backlog.splice(index, 1);
  }

  #leaveWaiting(account: Account): void {
    account.waiting -= 1;
    this.#waiting -= 1;
  }

  #unavailable(reason: string): Unavailable {
    return new Unavailable(`${reason}; try again`);
  }
}
