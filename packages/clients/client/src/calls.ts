import { ApiAnswer } from './answer.ts';
import { addressOf, isBacktest, sendApiRequest } from './api-request.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import { BacktestClock } from './backtest-clock.ts';
import type { BacktestStream } from './backtest-streams.ts';
import { withNumbers, withTexts } from './decimals.ts';
import { LiveClock, ticks } from './exchange-clock.ts';
import { KeyLost } from './errors.ts';
import type { CreateApiKeyInput, IssuedApiKey, Operations } from './generated/api.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { Operation } from './operation.ts';
import { operationName, operationPath } from './operation-path.ts';
import type { RequestParts } from './operation-path.ts';
import { Pages } from './pages.ts';
import type { Page } from './pages.ts';
import type { Receipt } from './receipts.ts';
import { refusalBy } from './refusal.ts';
import { send } from './send.ts';
import type { SentAnswer } from './send.ts';

/** The settings of a client. */
export interface ClientOptions {
  /** The service's address, such as `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** An API key (`svc_live_…`), or an operator's token for operators' calls. Public reads need none. */
  readonly key?: string | undefined;
  /** How long an unanswered request is sent again, in ms. Default: 60,000. 0: it is not sent again. */
  readonly retryForMs?: number | undefined;
  /** The time limit of one attempt, in ms. Default: 15,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether amounts, prices and fractions in answers are numbers, or exact decimal texts such as '0.41'. Requests
   * accept both. Default: `number`.
   */
  readonly decimals?: 'number' | 'string' | undefined;
  /** Whether a key whose answer was lost is revoked and replaced. Default: true. With false, KeyLost is thrown. */
  readonly replaceLostKeys?: boolean | undefined;
  /**
   * Builds Idempotency-Keys from this text and a counter, so that a bot that does the same sends the same keys.
   * Default: random keys; in a backtest counted ones. Two clients of an account need different texts.
   */
  readonly idempotencyPrefix?: string | undefined;
  /** Ends every request and stream of the client when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Settings of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly retryForMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Settings of one command. */
export interface CommandOptions extends CallOptions {
  /** Default: a new key for each call. Pass the key of an OutcomeUnknown error to learn the outcome of its command. */
  readonly idempotencyKey?: string | undefined;
  /** The time at which the key was first sent, in ms since 1970 UTC: a key older than 24 hours is not sent again. */
  readonly firstSentAt?: number | undefined;
}

/** Settings of a request that is sent only once. */
export type RequestOptions = Pick<CommandOptions, 'idempotencyKey' | 'signal' | 'timeoutMs'>;

/** The id of an operation, as in the OpenAPI document. */
export type OperationId = keyof Operations;

/** The parts of a request: `params`, `query` and `body`, as declared by the operation. */
export type RequestOf<Id extends OperationId> = Omit<Operations[Id], 'answer' | 'query'> &
  (Operations[Id] extends { readonly query: infer Q }
    ? Partial<Q> extends Q
      ? { readonly query?: Q }
      : { readonly query: Q }
    : unknown);

/** The answer of an operation. `D` is the type of decimal numbers. */
export type AnswerOf<Id extends OperationId, D = number> = Operations<D>[Id]['answer'];

/** The part of a client that sends these operations by `request`. */
export interface Requests<Ids extends OperationId, D = number> {
  request<Id extends Ids>(
    id: Id,
    request: RequestOf<Id>,
    options?: RequestOptions,
  ): Promise<ApiAnswer<AnswerOf<Id, D>>>;
}

const RETRY_FOR_MS = 60_000;
const TIMEOUT_MS = 15_000;
/** The longest wait for a turn by default: 20 participants that may take a minute each, plus one minute. */
const TURN_MS_MAX = 21 * 60_000;
const RECEIPTS_MAX = 1_000;

/** Sends the operations of the API, and stores sequences and receipts. `D` is the type of decimal numbers. */
export class Calls<D = number> {
  readonly #options: ClientOptions;
  readonly #clock: BacktestClock | LiveClock;
  readonly #receipts: Receipt[] = [];
  #journalSeq = 0;
  #commands = 0;

  /** Sends nothing yet. @throws TypeError for an address or a key that no request can have */
  constructor(options: ClientOptions) {
    this.#options = { ...options, baseUrl: addressOf(options.baseUrl) };
    if (options.key !== undefined) new Headers({ authorization: options.key });
    this.#clock = isBacktest(options.baseUrl) ? this.#backtestClock() : new LiveClock();
  }

  /** The newest journal sequence in an answer. A read with a key shows at least the state at this sequence. */
  get journalSeq(): number {
    return this.#journalSeq;
  }

  /** The receipts of the newest 1,000 commands, the newest last. */
  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  /** The exchange's time, in ms since 1970 UTC. */
  now(): Promise<number> {
    return this.#clock.now();
  }

  /**
   * Waits for this long by the exchange's clock; the signal ends the wait early.
   * @throws ApiRefusal with the code `backtest_ended` if a backtest ends before
   */
  async sleep(ms: number, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<void> {
    const ending = this.#signal({ signal });
    const atMs = (await this.now()) + ms;
    const hasCome = await this.#clock.waitUntil(atMs, ending);
    if (hasCome || ending?.aborted === true || (await this.now()) >= atMs) return;
    throw refusalBy('POST /api/clock/advance', 400, 'backtest_ended', 'The backtest ended before the time to wake.');
  }

  /**
   * Gives the exchange's time at once, then every `ms`; a time that passes while the loop is busy is left out. It ends
   * with a backtest.
   *
   * ```ts
   * for await (const now of client.every(10_000)) console.log(new Date(now), await client.fetchBalance());
   * ```
   */
  every(ms: number, { signal }: Pick<CallOptions, 'signal'> = {}): AsyncGenerator<number, void, undefined> {
    return ticks(this.#clock, ms, this.#signal({ signal }));
  }

  /**
   * Calls any operation by its id in the OpenAPI document, with the retries of every other method.
   *
   * ```ts
   * const { markets } = await operator.call('listHolders', { params: { id: 'm' } });
   * ```
   *
   * @throws ApiRefusal when the service refuses; NotFound for what cannot be an id; OutcomeUnknown, Unreachable
   */
  async call<Id extends OperationId>(
    id: Id,
    request: RequestOf<Id>,
    options: CommandOptions = {},
  ): Promise<AnswerOf<Id, D>> {
    return (await this.answer(id, request, options)).body;
  }

  /** Like `call`, but returns the whole answer: also `seq`, `next` and the headers. @throws as `call` */
  async answer<Id extends OperationId>(
    id: Id,
    request: RequestOf<Id>,
    options: CommandOptions = {},
  ): Promise<ApiAnswer<AnswerOf<Id, D>>> {
    const { idempotent }: Operation = OPERATIONS[id];
    const idempotencyKey = idempotent ? (options.idempotencyKey ?? this.#newKey()) : undefined;
    const sent = await this.#send(id, { ...apiRequest(id, request), idempotencyKey }, options);
    return this.#toAnswer(id, sent, idempotencyKey ?? null).assertOk();
  }

  /**
   * Sends an operation once, and returns the answer whatever its status. It sends an Idempotency-Key only if one is
   * given.
   *
   * ```ts
   * const { status, response } = await client.request('cancelOrder', { params: { id } });
   * ```
   *
   * @throws Error when no whole answer comes: no connection, a lost one, out of time, aborted
   */
  async request<Id extends OperationId>(
    id: Id,
    request: RequestOf<Id>,
    options: RequestOptions = {},
  ): Promise<ApiAnswer<AnswerOf<Id, D>>> {
    const { baseUrl, key, timeoutMs } = this.#options;
    const { idempotencyKey } = options;
    const sent = { ...apiRequest(id, request), idempotencyKey, key, signal: this.#signal(options) };
    const limitMs = options.timeoutMs ?? timeoutMs ?? this.#defaultMs(TIMEOUT_MS);
    const work = () => sendApiRequest(baseUrl, { ...sent, timeoutMs: limitMs });
    const response = await this.#clock.send(work, isCommand(id));
    return this.#toAnswer(id, { mayBeRepeat: false, response }, idempotencyKey ?? null);
  }

  protected pages<Id extends OperationId, T>(
    id: Id,
    request: RequestOf<Id>,
    items: (body: AnswerOf<Id, D>) => readonly T[],
    options: CallOptions = {},
  ): Pages<T> {
    const page = ({ body, next }: ApiAnswer<AnswerOf<Id, D>>): Page<T> => ({
      items: items(body),
      next:
        next === null
          ? null
          : async () => page(this.#toAnswer(id, await this.#send(id, { method: 'GET', path: next }, options), null)),
    });
    return new Pages(async () => page(await this.answer(id, request, options)));
  }

  protected openStream(path: string, lastSeq: number | null, signal: AbortSignal): Promise<Response> {
    const { baseUrl, key, signal: ending } = this.#options;
    return fetch(`${baseUrl}${path}`, {
      headers: {
        accept: 'text/event-stream',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(lastSeq === null ? {} : { 'last-event-id': String(lastSeq) }),
      },
      signal: ending === undefined ? signal : AbortSignal.any([signal, ending]),
    });
  }

  /** A stream by the clock of a backtest; undefined if the client plays in none. */
  protected backtestStream(
    stream: (clock: BacktestClock, signal: AbortSignal) => ReturnType<BacktestStream>,
  ): BacktestStream | undefined {
    const clock = this.#clock;
    return clock instanceof BacktestClock ? (signal) => stream(clock, signal) : undefined;
  }

  protected get options(): ClientOptions {
    return this.#options;
  }

  /** The issued key, or one in its place if its raw text was lost together with its answer. @throws KeyLost */
  protected async withRawKey(
    issued: IssuedApiKey<D>,
    accountId: string,
    revoke: () => Promise<unknown>,
    issue: (input: CreateApiKeyInput) => Promise<IssuedApiKey<D>>,
  ): Promise<IssuedApiKey<D>> {
    const { id, name, permissions, rawKey } = issued;
    if (rawKey !== undefined) return issued;
    if (this.#options.replaceLostKeys === false) throw new KeyLost(id, accountId);
    try {
      await revoke();
      return await issue({ name, permissions: [...permissions] });
    } catch (error) {
      throw error instanceof KeyLost ? error : new KeyLost(id, accountId, error);
    }
  }

  /** A value with its decimal numbers as the client's options ask for them. */
  protected decimal(value: unknown, operation: OperationId): unknown {
    const { answer }: Operation = OPERATIONS[operation];
    return this.#options.decimals === 'string' && answer !== null ? withTexts(value, answer) : value;
  }

  #newKey(): string {
    const { idempotencyPrefix = this.#clock instanceof BacktestClock ? 'backtest-' : undefined } = this.#options;
    return idempotencyPrefix === undefined ? crypto.randomUUID() : `${idempotencyPrefix}${(this.#commands += 1)}`;
  }

  #signal({ signal }: CallOptions): AbortSignal | undefined {
    const signals = [this.#options.signal, signal].filter((one) => one !== undefined);
    return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  }

  #send(id: OperationId, request: ApiRequest, options: CommandOptions): Promise<SentAnswer> {
    return this.#clock.send(() => this.#sendNow(id, request, options), isCommand(id));
  }

  #sendNow(id: OperationId, request: ApiRequest, options: CommandOptions): Promise<SentAnswer> {
    const { baseUrl, key, retryForMs, timeoutMs } = this.#options;
    return send({
      baseUrl,
      request: { ...request, key, signal: this.#signal(options) },
      name: operationName(id),
      changes: isCommand(id),
      firstSentAt: options.firstSentAt,
      retryForMs: options.retryForMs ?? retryForMs ?? this.#defaultMs(RETRY_FOR_MS),
      timeoutMs: options.timeoutMs ?? timeoutMs ?? this.#defaultMs(TIMEOUT_MS),
    });
  }

  /** The default time limit. In a backtest it is longer, since a request waits for the turn of its participant. */
  #defaultMs(liveMs: number): number {
    return this.#clock instanceof BacktestClock ? TURN_MS_MAX : liveMs;
  }

  #backtestClock(): BacktestClock {
    const read = async <Id extends 'getClock' | 'advanceClock'>(
      id: Id,
      request: RequestOf<Id>,
      idempotencyKey?: string,
    ): Promise<AnswerOf<Id>> => {
      const { response } = await this.#sendNow(id, { ...apiRequest(id, request), idempotencyKey }, {});
      const { body } = new ApiAnswer<AnswerOf<Id>>(operationName(id), response);
      this.#clock.note(response.headers);
      return body;
    };
    return new BacktestClock({
      // The key is random, since how often a wait is repeated depends on the wall clock.
      advance: (input) => read('advanceClock', { body: input }, crypto.randomUUID()),
      read: () => read('getClock', {}),
      // oxlint-disable-next-line no-console -- the bot's author has to see it
      warn: (text) => console.warn(text),
    });
  }

  #toAnswer<Id extends OperationId>(
    id: Id,
    { mayBeRepeat, response }: SentAnswer,
    idempotencyKey: string | null,
  ): ApiAnswer<AnswerOf<Id, D>> {
    this.#clock.note(response.headers);
    const answer = new ApiAnswer<AnswerOf<Id, D>>(operationName(id), response, undefined, mayBeRepeat);
    if (answer.status !== 200) return answer;
    this.#note(id, OPERATIONS[id].kind, response, idempotencyKey);
    if (this.#options.decimals !== 'string') return answer;
    return new ApiAnswer(answer.request, response, this.decimal(answer.body, id), mayBeRepeat);
  }

  #note(operation: string, kind: Operation['kind'], { headers }: ApiResponse, idempotencyKey: string | null): void {
    const seq = Number(headers.get('x-journal-seq') ?? 0);
    this.#journalSeq = Math.max(this.#journalSeq, seq);
    const hash = headers.get('x-journal-hash');
    if (kind !== 'command' || hash === null) return;
    this.#receipts.push({ seq, hash, operation, idempotencyKey, receivedAt: Date.now() });
    if (this.#receipts.length > RECEIPTS_MAX) this.#receipts.shift();
  }
}

function isCommand(id: OperationId): boolean {
  return OPERATIONS[id].kind === 'command' && id !== 'previewOrder';
}

function apiRequest(
  id: OperationId,
  parts: RequestParts & { readonly body?: unknown },
): Pick<ApiRequest, 'method' | 'path' | 'body'> {
  const { body, method }: Operation = OPERATIONS[id];
  return { method, path: operationPath(id, parts), body: body === null ? parts.body : withNumbers(parts.body, body) };
}
