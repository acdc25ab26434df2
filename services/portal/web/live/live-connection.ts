import type { Clock } from '@paper/timing';
import { CallError, readCallError, toCallError } from '../base/call-error.ts';
import { CONNECTING } from './live-state.ts';
import type { LiveState } from './live-state.ts';

export interface Followed {
  readonly marketIds: readonly string[];
  readonly bookIds: readonly string[];
  /** Another account is followed from its present state on. */
  readonly accountId: string | null;
}

export const NOTHING: Followed = { marketIds: [], bookIds: [], accountId: null };

export function topicsOf({ accountId, bookIds, marketIds }: Followed): readonly Topic[] {
  return [
    ...(marketIds.length > 0 ? [PULSE] : []),
    ...bookIds.map((id) => `book:${id}`),
    ...(accountId === null ? [] : [ACCOUNT]),
  ];
}

export interface TopicEvent {
  /** The `event` field of the API's stream; `message` without one. */
  readonly type: string;
  readonly data: unknown;
}

export interface LiveConnectionOptions {
  readonly onEvent: (topic: Topic, event: TopicEvent) => void;
  readonly onState: (topic: Topic, state: LiveState) => void;
  /** `isResumed`: the topic resumes after its last event, so none is missing. */
  readonly onBegin: (topic: Topic, isResumed: boolean) => void;
  readonly timer: Pick<Clock, 'after'>;
  readonly fetch: typeof fetch;
}

function newTopic() {
  return {
    state: CONNECTING,
    lastEventId: null as string | null,
    /** The event id after which the present connection resumes the topic. */
    resumesAt: null as string | null,
    failures: 0,
    /** Whether the topic has failed, and waits for a later connection. */
    isWaiting: false,
    cancelRetry: (): void => undefined,
  };
}

const URL = '/portal/live/stream';
const LIVE: LiveState = { kind: 'live', message: null };
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 15_000;
/** The pause after a refusal: meanwhile the market may be listed, or a session may begin. */
const REFUSED_MS = 30_000;
/** Without a pulse (the prices of followed markets, sent every 2 s) for this long, the connection counts as lost. */
const PULSE_SILENT_MS = 8_000;
/** The longest silence of a connection without pulses, on which the service sends a comment every 15 s. */
const SILENT_MS = 40_000;

/**
 * The tab's one connection, which joins its streams (services/portal/src/http/joined-stream.ts). It is reopened when
 * these change, when it ends, fails or is silent, and when a stream has ended, after 1 s to 15 s, or as long as the
 * service asks.
 */
export class LiveConnection {
  readonly #topics = new Map<Topic, ReturnType<typeof newTopic>>();
  #followed = NOTHING;
  #isPaused = false;
  #connection: AbortController | null = null;
  #cancelSilence = (): void => undefined;

  constructor(private readonly options: LiveConnectionOptions) {}

  stateOf(topic: Topic): LiveState {
    return this.#topics.get(topic)?.state ?? CONNECTING;
  }

  /** Changes what the tab follows. Streams that were followed before resume after their last event. */
  follow(followed: Followed): void {
    if (JSON.stringify(followed) === JSON.stringify(this.#followed)) return;
    const isOtherAccount = followed.accountId !== this.#followed.accountId;
    this.#followed = followed;
    const wanted = new Set(topicsOf(followed));
    for (const [topic, { cancelRetry }] of this.#topics) {
      if (wanted.has(topic) && !(topic === ACCOUNT && isOtherAccount)) continue;
      cancelRetry();
      this.#topics.delete(topic);
    }
    for (const topic of wanted) {
      if (this.#topics.has(topic)) continue;
      this.#topics.set(topic, newTopic());
      this.options.onState(topic, CONNECTING);
    }
    this.#reconnect();
  }

  /** Connects now, for example when the browser is online again. */
  retryNow(): void {
    if ([...this.#topics.values()].some(({ failures }) => failures > 0)) this.#reconnect();
  }

  /** Disconnects; the states of the topics do not change. */
  pause(): void {
    this.#isPaused = true;
    this.#drop();
  }

  resume(): void {
    this.#isPaused = false;
    this.#reconnect();
  }

  #drop(): void {
    this.#cancelSilence();
    this.#connection?.abort();
    this.#connection = null;
  }

  #reconnect(): void {
    this.#drop();
    if (this.#topics.size > 0 && !this.#isPaused) void this.#connect();
  }

  async #connect(): Promise<void> {
    const connection = new AbortController();
    this.#connection = connection;
    const positions: string[] = [];
    for (const [topic, known] of this.#topics) {
      known.cancelRetry();
      known.isWaiting = false;
      known.resumesAt = known.lastEventId;
      if (known.lastEventId !== null) positions.push(`${topic}=${known.lastEventId}`);
    }
    this.#awaitNext(connection);
    try {
      const response = await this.options.fetch(this.#address(), {
        headers: {
          accept: 'text/event-stream',
          ...(positions.length === 0 ? {} : { 'last-event-id': positions.join(' ') }),
        },
        credentials: 'same-origin',
        cache: 'no-store',
        redirect: 'error',
        signal: connection.signal,
      });
      if (!response.ok) throw await readCallError(response);
      if (response.body === null) throw toCallError(null);
      await this.#readAll(response.body, connection);
      throw new CallError('unreachable', 'The service ended the connection.', 0);
    } catch (error) {
      // A newer connection has replaced this one, or this one was closed.
      if (this.#connection !== connection) return;
      this.#allFailed(toCallError(error));
    }
  }

  #address(): string {
    const { accountId, bookIds, marketIds } = this.#followed;
    const query = [
      ...(marketIds.length === 0 ? [] : [`marketIds=${encodeURIComponent(marketIds.join(','))}`]),
      ...(bookIds.length === 0 ? [] : [`bookIds=${encodeURIComponent(bookIds.join(','))}`]),
      ...(accountId === null ? [] : ['account=me']),
    ];
    return `${URL}?${query.join('&')}`;
  }

  async #readAll(body: ReadableStream<Uint8Array>, connection: AbortController): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#connection !== connection) return;
      this.#awaitNext(connection);
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) if (this.#connection === connection) this.#take(fieldsOf(block));
    }
  }

  #take({ event = '', id, data }: Fields): void {
    if (data === undefined) return;
    const read = JSON.parse(data) as unknown;
    if (event === 'began') {
      const { topic, seq } = read as { readonly topic: Topic; readonly seq: number };
      this.#began(topic, seq);
      return;
    }
    if (event === 'ended') {
      const { topic, code, error, status, retryAfterMs } = read as Ended;
      this.#failed(topic, new CallError(code, error, status, retryAfterMs));
      return;
    }
    const [topic = '', type = 'message'] = event.split(' ');
    const known = this.#topics.get(topic);
    if (known === undefined) return;
    if (id !== undefined && topic !== PULSE) known.lastEventId = id;
    this.options.onEvent(topic, { type, data: read });
  }

  #began(topic: Topic, seq: number): void {
    const known = this.#topics.get(topic);
    if (known === undefined) return;
    known.failures = 0;
    // From this sequence on no event is missed, even if the connection is reopened before the first one.
    if (topic === ACCOUNT) known.lastEventId ??= String(seq);
    known.state = LIVE;
    this.options.onState(topic, LIVE);
    this.options.onBegin(topic, known.resumesAt !== null);
  }

  /** Marks all topics as failed, except topics that ended earlier: these keep the pause that the service asked for. */
  #allFailed(error: CallError): void {
    this.#drop();
    for (const [topic, { isWaiting }] of this.#topics) if (!isWaiting) this.#failed(topic, error);
  }

  #failed(topic: Topic, error: CallError): void {
    const known = this.#topics.get(topic);
    if (known === undefined) return;
    known.failures += 1;
    known.isWaiting = true;
    // The journal has not reached that sequence, so it is another journal: start from its present state.
    const cannotResume = error.status === 400 && known.resumesAt !== null;
    if (cannotResume) known.lastEventId = null;
    known.state = { kind: 'reconnecting', message: error.message };
    this.options.onState(topic, known.state);
    const afterMs = cannotResume ? 0 : retryMs(error, known.failures);
    known.cancelRetry();
    known.cancelRetry = this.options.timer.after(afterMs, () => this.#reconnect());
  }

  #awaitNext(connection: AbortController): void {
    this.#cancelSilence();
    const silentMs = this.#topics.get(PULSE)?.state.kind === 'live' ? PULSE_SILENT_MS : SILENT_MS;
    this.#cancelSilence = this.options.timer.after(silentMs, () => {
      if (this.#connection !== connection) return;
      this.#allFailed(new CallError('unreachable', 'The connection is silent.', 0));
    });
  }
}

type Ended = Pick<CallError, 'code' | 'status' | 'retryAfterMs'> & { readonly topic: Topic; readonly error: string };

type Fields = Readonly<{ event?: string; id?: string; data?: string }>;

/** The fields of an event, each in one line as joined-stream.ts writes it; a comment has none. */
function fieldsOf(block: string): Fields {
  return Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s))) as Fields;
}

function retryMs({ status, retryAfterMs }: CallError, failures: number): number {
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return retryAfterMs ?? (isRefused ? REFUSED_MS : Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failures - 1)));
}

/** `pulse`, `account`, or `book:` with the id of a market. */
export type Topic = string;

export const PULSE: Topic = 'pulse';
export const ACCOUNT: Topic = 'account';
