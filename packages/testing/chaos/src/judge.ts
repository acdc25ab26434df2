import type { Command } from '@paper/exchange/commands';
import { EMPTY_HEAD } from '@paper/journal';
import type { Head, Journal, JournalEvent } from '@paper/journal';
import { CommandHistory, verifiedPages } from '@paper/testkit';
import type { HistoryFault, StoredDecision } from '@paper/testkit';
import { marketBody } from '@paper/testkit/http';
import type { Api } from 'paper-trading-client';
import type { Findings } from './findings.ts';
import { keyName, nameOf } from './client-request.ts';
import type { Acknowledged, ClientRequest } from './client-request.ts';

/**
 * Compares the clients' answers with the journal as it grows. Every acknowledged command must be there once, with the
 * effect of its answer and the right receipt; refused commands, and commands that no client sent, must not. Events that
 * were read must never change.
 */
export class Judge {
  readonly #sent = new Set<string>();
  readonly #history = new CommandHistory(
    (command) => this.#sentNames(command),
    (fault) => this.#report(fault),
  );
  readonly #hashes: string[] = [EMPTY_HEAD.hash];
  readonly #cancelledAt = new Map<string, number>();
  readonly #settledAt = new Map<string, number>();
  /** Accounts that the service opened for itself: the house bots and the demo. */
  readonly #ownAccounts = new Set<string>();
  /** Markets that the demo listed, and on which it acts as an operator. */
  readonly #demoMarkets = new Set<string>();
  #due: Acknowledged[] = [];
  #head: Head = EMPTY_HEAD;
  #isSetUp = false;
  /** The time of the newest event, in ms since 1970 UTC. */
  #latestMs = 0;
  acknowledged = 0;
  /** The number of decisions in the journal for each kind of sender. */
  readonly senders = { clients: 0, house: 0, service: 0 };

  constructor(private readonly findings: Findings) {}

  get head(): Head {
    return this.#head;
  }

  /** Call it before the request is sent for the first time. */
  sent(request: ClientRequest): void {
    for (const name of request.names) this.#sent.add(name);
  }

  answered(acknowledged: Acknowledged): void {
    this.acknowledged += 1;
    this.#due.push(acknowledged);
  }

  /** Call it when the command will not be sent again. */
  refused(name: string): void {
    this.#history.refuse(name, 'refused');
  }

  async begin(journal: Pick<Journal, 'head' | 'read'>): Promise<void> {
    await this.readOn(journal);
    this.#isSetUp = true;
  }

  /**
   * Reads the events appended since the last call, and judges all answers received before this one. It can be repeated
   * after errors of the journal's connection.
   */
  async readOn(journal: Pick<Journal, 'head' | 'read'>): Promise<void> {
    const due = this.#due.length;
    const end = await journal.head();
    await this.#checkKept(journal, end);
    for await (const { events, head } of verifiedPages(journal, this.#head, end.seq)) {
      for (const event of events) this.#index(event);
      this.#head = head;
    }
    for (const acknowledged of this.#due.splice(0, due)) this.#judge(acknowledged);
  }

  checkTime(atMostMs: number): void {
    if (this.#latestMs <= atMostMs) return;
    this.findings.add(
      'wrongAnswer',
      `${this.#head.seq} is of ${textOf(this.#latestMs)}, and it was ${textOf(atMostMs)} at most`,
    );
  }

  async #checkKept(journal: Pick<Journal, 'read'>, end: Head): Promise<void> {
    if (this.#head.seq === 0) return;
    const [there] = await journal.read(this.#head.seq, 1);
    if (there?.hash === this.#head.hash) return;
    throw new Error(
      `event ${this.#head.seq} with the hash ${this.#head.hash} was in the journal; now ${there?.hash ?? 'nothing'} is ` +
        `there, and it ends at ${end.seq}`,
    );
  }

  #index(journaled: JournalEvent): void {
    const { event, hash, seq } = journaled;
    this.#hashes.push(hash);
    if (event.type === 'OrderCancelled') this.#cancelledAt.set(event.orderId, seq);
    if (event.type === 'MarketSettled') this.#settledAt.set(event.marketId, seq);
    if (event.at < this.#latestMs) this.findings.add('wrongAnswer', `time goes back at ${seq}`);
    this.#latestMs = event.at;
    const decision = this.#history.add(journaled);
    if (decision !== null) this.#attribute(decision);
  }

  #sentNames(command: Command): readonly string[] {
    const name = nameOf(command);
    return name !== null && this.#sent.has(name) ? [name] : [];
  }

  #attribute({ command, seq }: StoredDecision): void {
    if (this.#sentNames(command).length > 0) {
      this.senders.clients += 1;
    } else if (command.by.kind === 'system') {
      this.senders.service += 1;
    } else if (this.#isOfHouse(command)) {
      this.senders.house += 1;
    } else {
      const what = `${command.type} ${nameOf(command) ?? command.id} at ${seq}, and no client sent it`;
      this.findings.add('notSent', what);
    }
  }

  #isOfHouse(command: Command): boolean {
    // On a slow machine the service lists its markets, and opens some of its accounts, only after it is ready.
    const isDemoListing = command.type === 'ListMarket' && (!this.#isSetUp || command.category !== CLIENTS_CATEGORY);
    if (isDemoListing) this.#demoMarkets.add(command.marketId);
    const isOwnOpening =
      command.type === 'OpenAccount' && (!this.#isSetUp || nameOf(command)?.startsWith('key standalone-') === true);
    if (isOwnOpening) this.#ownAccounts.add(command.accountId);
    if (!this.#isSetUp || isOwnOpening) return true;
    if (command.by.kind === 'key') return this.#ownAccounts.has(command.by.accountId);
    if ('marketId' in command && command.marketId !== null && this.#demoMarkets.has(command.marketId)) return true;
    return 'accountId' in command && command.accountId !== null && this.#ownAccounts.has(command.accountId);
  }

  #report(fault: HistoryFault): void {
    const { name, seq } = fault;
    if (fault.kind === 'twice') this.findings.add('twice', `${name}, at ${fault.first.seq} and at ${seq}`);
    else this.findings.add('notSent', `${name} was refused, and stands at ${seq}`);
  }

  #judge(acknowledged: Acknowledged): void {
    const { hash, seq, request } = acknowledged;
    const what = `${request.method} ${request.path} (${request.names.join(', ')})`;
    if (seq > this.#head.seq) {
      this.findings.add('lost', `${what}: acknowledged at ${seq}, and the journal ends at ${this.#head.seq}`);
      return;
    }
    if (this.#hashes[seq] !== hash) {
      const there = this.#hashes[seq] ?? 'nothing';
      this.findings.add('wrongReceipt', `${what}: ${seq} ${hash}, but ${there} is there`);
    }
    const difference = this.#difference(acknowledged);
    if (difference === null) return;
    const [kind, why] = difference;
    this.findings.add(kind, `${what}: ${why}; acknowledged ${JSON.stringify(acknowledged.body)}`);
  }

  /** The difference between an answer and the journal; null if there is none. */
  #difference({ body, seq, request }: Acknowledged): Difference | null {
    if (request.method === 'DELETE') return this.#cancelDifference(request, body as { readonly ok: boolean }, seq);
    if (request.key === null) return this.#batchDifference(request, body as Batch, seq);
    const decision = this.#history.find(keyName(request.key));
    if (decision === undefined) return ['lost', 'it is not in the journal'];
    if (decision.lastSeq !== seq) return ['wrongAnswer', `its last event is ${decision.lastSeq}, not ${seq}`];
    return request.path === '/api/orders' ? orderDifference(decision, body as Api.Order) : null;
  }

  #cancelDifference(request: ClientRequest, { ok }: { readonly ok: boolean }, seq: number): Difference | null {
    const at = this.#cancelledAt.get(request.path.slice(request.path.lastIndexOf('/') + 1));
    const isCancelled = at !== undefined && at <= seq;
    if (ok && !isCancelled) return ['lost', `at ${seq} the order was not cancelled`];
    return !ok && isCancelled ? ['wrongAnswer', `at ${seq} the order was cancelled`] : null;
  }

  #batchDifference({ names }: ClientRequest, { results }: Batch, seq: number): Difference | null {
    for (const [index, name] of names.entries()) {
      const result = results[index];
      // A resolved market accepts no signals: this item did nothing.
      if (result?.ok !== true) continue;
      const decision = this.#history.find(name);
      if (decision === undefined || decision.lastSeq > seq) return ['lost', `${name} is not in the journal at ${seq}`];
      const { command } = decision;
      if (command.type === 'ResolveMarket' && !((this.#settledAt.get(command.marketId) ?? Infinity) <= seq)) {
        return ['lost', `${command.marketId} is not settled at ${seq}`];
      }
    }
    return null;
  }
}

/** The category of every market that a client lists, and of none that the service lists. */
const CLIENTS_CATEGORY = marketBody('').category;

const textOf = (atMs: number): string => new Date(atMs).toISOString();

type Difference = readonly [kind: 'lost' | 'wrongAnswer', why: string];

interface Batch {
  readonly results: readonly { readonly ok: boolean }[];
}

function orderDifference({ events }: StoredDecision, acknowledged: Api.Order): Difference | null {
  const [placed] = events;
  if (placed?.type !== 'OrderPlaced') return ['wrongAnswer', `a ${placed?.type ?? 'nothing'} stands there`];
  const fills = events.reduce((sum, event) => sum + (event.type === 'OrderFilled' ? event.quantity : 0), 0);
  const cancelled = events.some(({ type }) => type === 'OrderCancelled');
  const rests = fills === 0 ? 'open' : 'partial';
  const due = {
    id: placed.orderId,
    createdAt: new Date(placed.at).toISOString(),
    filledQty: fills,
    marketId: placed.marketId,
    outcome: placed.outcome,
    quantity: placed.quantity,
    side: placed.side,
    status: cancelled ? 'cancelled' : fills === placed.quantity ? 'filled' : rests,
    userId: placed.accountId,
  } satisfies Partial<Api.Order>;
  const wrong = (Object.keys(due) as (keyof typeof due)[]).find((field) => due[field] !== acknowledged[field]);
  return wrong === undefined ? null : ['wrongAnswer', `${wrong} is ${due[wrong]}`];
}
