import { RateLimited, Unavailable } from '@paper/contracts';
import { FairQueue } from '@paper/runtime/queues';
import type { Lane } from '@paper/runtime/queues';

export interface FairSlotsSettings {
  readonly atOnce: number;
  readonly atOncePerAccount: number;
  /** The most waiting requests of all accounts; further ones are refused as unavailable. */
  readonly waiting: number;
  /** The most waiting requests of one account; further ones are rate limited. */
  readonly waitingPerAccount: number;
  /** The time limit of a request including its wait, in ms; after that it is answered as unavailable. */
  readonly waitMs: number;
  /** A slot rests after its work for as long as that took (100 ms at most): half of a core is left. Default false. */
  readonly rests?: boolean;
  /** Names the work in messages, such as `the journal`. */
  readonly what: string;
  /** Names in messages what a lane's account stands for. Default: `account`. */
  readonly accountIs?: string;
}

interface WaitingRequest {
  readonly account: Account;
  /** True once the request is answered: its turn is then skipped. */
  isAnswered: boolean;
  readonly begin: () => Promise<void>;
}

interface Account {
  readonly lane: Lane;
  /** The number of requests that are queued or running: at most `atOncePerAccount`. */
  active: number;
  waiting: number;
  /** Requests that enter the queue when an active request ends. */
  readonly backlog: WaitingRequest[];
}

/** The longest pause of a slot. Longer work has mostly waited, for instance for read models that are behind. */
const REST_MAX_MS = 100;

/**
 * Limits how much work runs at once. Fleets (a primary account with its sub-accounts) take turns, then their accounts.
 * A slot is free once aborted work has stopped.
 */
export class FairSlots {
  readonly #queue = new FairQueue<WaitingRequest>();
  readonly #accounts = new Map<string, Account>();
  #running = 0;
  #waiting = 0;

  constructor(private readonly settings: FairSlotsSettings) {}

  get waiting(): number {
    return this.#waiting;
  }

  get accounts(): number {
    return this.#accounts.size;
  }

  /** Throws RateLimited or Unavailable as the settings say, the client's abort reason, and the errors of the work. */
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
        () => cancel(new Unavailable(`a request for ${this.settings.what} took too long; try again`)),
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
      throw new RateLimited(`too many requests of this ${this.settings.accountIs ?? 'account'} are waiting`);
    }
    if (this.#waiting >= this.settings.waiting) {
      throw new Unavailable(`too many requests for ${this.settings.what} are waiting; try again`);
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
}
