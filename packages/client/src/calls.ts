import { nextPagePath, requestPath } from '@paper/contracts/api-request';
import type { ApiRequest, ApiResponse } from '@paper/contracts/api-request';
import { withNumbers, withTexts } from './decimals.ts';
import type { Operations } from './generated/api.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { Operation } from './operation.ts';
import { Pages } from './pages.ts';
import type { Page } from './pages.ts';
import type { Receipt } from './receipts.ts';
import { refusalOf } from './refusal.ts';
import { send } from './send.ts';
import type { SentAnswer } from './send.ts';

/** The settings of a client. */
export interface ClientOptions {
  /** The service's address, such as `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** An API key (`svc_live_…`), or an operator's token for operators' calls. Public reads need none. */
  readonly key?: string | undefined;
  /** How long an unanswered request is sent again, in ms. Default: 30,000. 0: never. */
  readonly retryForMs?: number | undefined;
  /** How long one attempt may take, in ms. Default: 15,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether amounts, prices and fractions come as numbers, or as exact decimal text such as '0.41'. A request can name
   * them in either way. Default: `number`.
   */
  readonly decimals?: 'number' | 'string' | undefined;
  /**
   * Whether a key whose answer was lost is revoked and replaced. Default: true. With false, KeyLost is thrown.
   */
  readonly replaceLostKeys?: boolean | undefined;
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
  /** Default: a new one for each call. Give that of an OutcomeUnknown to learn what became of its command. */
  readonly idempotencyKey?: string | undefined;
  /** When the key was first sent, in ms since 1970 UTC: a key older than 24 hours is not sent again. */
  readonly firstSentAt?: number | undefined;
}

/** The id of an operation, as in the OpenAPI document. */
export type OperationId = keyof Operations;

/** The parts of a request: `params`, `query` and `body`, as the operation has them. */
export type RequestOf<Id extends OperationId> = Omit<Operations[Id], 'answer' | 'query'> &
  (Operations[Id] extends { readonly query: infer Q }
    ? Partial<Q> extends Q
      ? { readonly query?: Q }
      : { readonly query: Q }
    : unknown);

/** The answer of an operation. `D` is the type of decimal numbers. */
export type AnswerOf<Id extends OperationId, D = number> = Operations<D>[Id]['answer'];

/** An answer with what came with it. */
export interface Answered<T> {
  readonly body: T;
  /** Whether an earlier attempt may have carried the command out. */
  readonly mayBeRepeat: boolean;
  /** The path of the list's next page; null: this is the last one. */
  readonly next: string | null;
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const RETRY_FOR_MS = 30_000;
const TIMEOUT_MS = 15_000;
const RECEIPTS_MAX = 1_000;

/** Sends the operations of the API, and stores what their answers prove. `D` is the type of decimal numbers. */
export class Calls<D = number> {
  readonly #options: ClientOptions;
  readonly #receipts: Receipt[] = [];
  #journalSeq = 0;

  /** @throws TypeError for an address or a key that no request can have */
  constructor(options: ClientOptions) {
    this.#options = { ...options, baseUrl: new URL(options.baseUrl).origin };
    if (options.key !== undefined) new Headers({ authorization: options.key });
  }

  /** The newest journal sequence that an answer named. A read with a key shows at least the state at this sequence. */
  get journalSeq(): number {
    return this.#journalSeq;
  }

  /** The receipts of the newest 1,000 commands, the newest last. */
  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  /**
   * Calls any operation by its id in the OpenAPI document, with the retries of every other method.
   *
   * ```ts
   * const { markets } = await operator.call('listHolders', { params: { id: 'm' } });
   * ```
   *
   * @throws ApiRefusal where the service refuses; OutcomeUnknown, Unreachable where no answer came
   */
  async call<Id extends OperationId>(
    id: Id,
    request: RequestOf<Id>,
    options: CommandOptions = {},
  ): Promise<AnswerOf<Id, D>> {
    return (await this.answer(id, request, options)).body;
  }

  /** Like `call`, with what came beside the body. */
  protected async answer<Id extends OperationId>(
    id: Id,
    request: RequestOf<Id>,
    options: CommandOptions = {},
  ): Promise<Answered<AnswerOf<Id, D>>> {
    const operation: Operation = OPERATIONS[id];
    const parts = request as Parts;
    const path = requestPath(operation.path, parts);
    const body = operation.body === null ? parts.body : withNumbers(parts.body, operation.body);
    const idempotencyKey = operation.idempotent ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const sent = await this.#send(id, { method: operation.method, path, body, idempotencyKey }, options);
    return this.#toAnswered(id, sent, idempotencyKey ?? null);
  }

  /** A list's pages. `items` takes them out of a page's body. */
  protected pages<Id extends OperationId, T>(
    id: Id,
    request: RequestOf<Id>,
    items: (body: AnswerOf<Id, D>) => readonly T[],
    options: CallOptions = {},
  ): Pages<T> {
    const page = ({ body, next }: Answered<AnswerOf<Id, D>>): Page<T> => ({
      items: items(body),
      next:
        next === null
          ? null
          : async () => page(this.#toAnswered(id, await this.#send(id, { method: 'GET', path: next }, options), null)),
    });
    return new Pages(async () => page(await this.answer(id, request, options)));
  }

  /** Opens a stream of server-sent events. */
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

  /** The signal that ends the client; undefined: none was given. */
  protected get ending(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Whether keys whose answer was lost are replaced. */
  protected get replacesLostKeys(): boolean {
    return this.#options.replaceLostKeys ?? true;
  }

  /** A value with its decimal numbers as the client's options ask for them. */
  protected decimal(value: unknown, operation: OperationId): unknown {
    const { answer }: Operation = OPERATIONS[operation];
    return this.#options.decimals === 'string' && answer !== null ? withTexts(value, answer) : value;
  }

  #send(id: OperationId, request: ApiRequest, options: CommandOptions): Promise<SentAnswer> {
    const { kind, method, path }: Operation = OPERATIONS[id];
    const { baseUrl, key, retryForMs, signal, timeoutMs } = this.#options;
    const signals = [signal, options.signal].filter((one) => one !== undefined);
    return send({
      baseUrl,
      request: { ...request, key, signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0] },
      name: `${method} ${path}`,
      changes: kind === 'command' && id !== 'previewOrder',
      firstSentAt: options.firstSentAt,
      retryForMs: options.retryForMs ?? retryForMs ?? RETRY_FOR_MS,
      timeoutMs: options.timeoutMs ?? timeoutMs ?? TIMEOUT_MS,
    });
  }

  #toAnswered<Id extends OperationId>(
    id: Id,
    { mayBeRepeat, response }: SentAnswer,
    idempotencyKey: string | null,
  ): Answered<AnswerOf<Id, D>> {
    const { kind, method, path }: Operation = OPERATIONS[id];
    if (response.status !== 200) throw refusalOf(`${method} ${path}`, response);
    this.#note(id, kind, response, idempotencyKey);
    return { body: this.decimal(bodyOf(response), id) as AnswerOf<Id, D>, mayBeRepeat, next: nextPagePath(response) };
  }

  /** Stores the sequence, and the receipt of a command. */
  #note(operation: string, kind: Operation['kind'], { headers }: ApiResponse, idempotencyKey: string | null): void {
    const seq = Number(headers.get('x-journal-seq') ?? 0);
    this.#journalSeq = Math.max(this.#journalSeq, seq);
    const hash = headers.get('x-journal-hash');
    if (kind !== 'command' || hash === null) return;
    this.#receipts.push({ seq, hash, operation, idempotencyKey, receivedAt: Date.now() });
    if (this.#receipts.length > RECEIPTS_MAX) this.#receipts.shift();
  }
}

/** The body of JSON or of lines of JSON; any other is text. */
function bodyOf({ body, headers, text }: ApiResponse): unknown {
  const isLines = headers.get('content-type')?.startsWith('application/x-ndjson') === true;
  return isLines
    ? text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
    : (body ?? text);
}
