import { ApiError } from '@paper/contracts';
import { FairQueue, type Lane } from './fair-queue.ts';

export interface FairSlotsSettings {
  /** Pieces of work that are under way at the same time, of all accounts. */
  readonly atOnce: number;
  /** Of those, how many may be one account's. */
  readonly atOncePerAccount: number;
  /** Requests that may wait, of all accounts: more are 503. */
  readonly waiting: number;
  /** Requests of one account that may wait: more are 429. */
  readonly waitingPerAccount: number;
  /** So long a request may take, its waiting included: then it is 503. */
  readonly waitMs: number;
  /** In messages: what takes turns, such as `the journal`. */
  readonly what: string;
}

/** A request on its way through the queue. */
interface Ticket {
  readonly account: Account;
  /** Answered already: its turn is passed over. */
  over: boolean;
  readonly begin: () => Promise<void>;
}

interface Account {
  readonly lane: Lane;
  /** Tickets in the queue or under way: at most `atOncePerAccount`. */
  active: number;
  waiting: number;
  /** Tickets that enter the queue when one that is active has ended. */
  readonly backlog: Ticket[];
}

const RETRY = { 'Retry-After': '1' };

/**
 * Lets a bounded number of pieces of work run at once, and shares the slots fairly: fleets take turns, then the accounts
 * of a fleet. Work is told to stop when its client has gone, or has been answered because it took too long; its slot is
 * free when it has stopped.
 */
export class FairSlots {
  readonly #queue = new FairQueue<Ticket>();
  readonly #accounts = new Map<string, Account>();
  #running = 0;
  #waiting = 0;

  constructor(private readonly settings: FairSlotsSettings) {}

  /** Requests that wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Accounts that have something waiting or under way. */
  get accounts(): number {
    return this.#accounts.size;
  }

  /**
   * @param client aborts when the client has gone.
   * @throws ApiError rate_limited where too many of this account wait, unavailable where too many of all do or it takes
   *   too long; the reason of `client`; and whatever the work throws.
   */
  use<T>(lane: Lane, client: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      client.throwIfAborted();
      const account = this.#admit(lane);
      const stopping = new AbortController();
      const ticket: Ticket = {
        account,
        over: false,
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
        client.removeEventListener('abort', onGone);
        answer();
      };
      const giveUp = (reason: Error): void => {
        ticket.over = true;
        if (isWaiting) this.#withdraw(ticket);
        end(() => reject(reason));
        stopping.abort(reason);
      };
      const onGone = (): void => giveUp(client.reason as Error);
      const timer = setTimeout(() => giveUp(this.#unavailable('takes too long')), this.settings.waitMs);
      client.addEventListener('abort', onGone, { once: true });
      this.#enter(ticket);
      this.#fill();
    });
  }

  /** The account, with one more that waits. */
  #admit(lane: Lane): Account {
    const account = this.#accounts.get(lane.account) ?? { lane, active: 0, waiting: 0, backlog: [] };
    if (account.waiting >= this.settings.waitingPerAccount) {
      throw new ApiError('rate_limited', 'too many requests of this account are waiting', undefined, RETRY);
    }
    if (this.#waiting >= this.settings.waiting) throw this.#unavailable('is asked for by too many');
    this.#accounts.set(lane.account, account);
    account.waiting += 1;
    this.#waiting += 1;
    return account;
  }

  #enter(ticket: Ticket): void {
    const { account } = ticket;
    if (account.active >= this.settings.atOncePerAccount) {
      account.backlog.push(ticket);
      return;
    }
    account.active += 1;
    this.#queue.push(account.lane, ticket);
  }

  /** Begins what has its turn while there are slots. */
  #fill(): void {
    while (this.#running < this.settings.atOnce) {
      const ticket = this.#queue.shift();
      if (ticket === undefined) return;
      if (ticket.over) {
        this.#leave(ticket.account);
        continue;
      }
      this.#running += 1;
      void ticket.begin().then(() => {
        this.#running -= 1;
        this.#leave(ticket.account);
        this.#fill();
      });
    }
  }

  /** One that was active has ended: the account's next takes its place at the end of the queue. */
  #leave(account: Account): void {
    account.active -= 1;
    const next = account.backlog.shift();
    if (next !== undefined) this.#enter(next);
    else if (account.active === 0) this.#accounts.delete(account.lane.account);
  }

  #withdraw(ticket: Ticket): void {
    const { account } = ticket;
    this.#leaveWaiting(account);
    const place = account.backlog.indexOf(ticket);
    if (place !== -1) account.backlog.splice(place, 1);
  }

  #leaveWaiting(account: Account): void {
    account.waiting -= 1;
    this.#waiting -= 1;
  }

  #unavailable(why: string): ApiError {
    return new ApiError('unavailable', `${this.settings.what} ${why}; try again`, undefined, RETRY);
  }
}
