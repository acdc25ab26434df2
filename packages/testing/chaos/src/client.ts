import { setTimeout as wait } from 'node:timers/promises';
import { sendApiRequest } from 'paper-trading-client';
import type { ApiResponse } from 'paper-trading-client';
import type { Findings } from './findings.ts';
import type { Judge } from './judge.ts';
import type { Acknowledged, ClientRequest } from './client-request.ts';

const RETRY_MS = 50;
/** Twice the five seconds within which the service answers, even at its worst. */
const ANSWER_MS = 10_000;

const REFUSALS = new Set(['insufficient_balance', 'insufficient_shares', 'limit_reached', 'market_not_active']);

/** A correct client: it repeats an unanswered request, unchanged, until it is answered. */
export class Client {
  /** The time at which the newest acknowledged command was sent. */
  sentMs = -Infinity;
  /** When the service last answered that it cannot decide the command now. */
  refusedMs = -Infinity;
  #newestSeq = 0;
  /** The answers to commands with an Idempotency-Key, the newest last. */
  readonly kept: Acknowledged[] = [];

  constructor(
    readonly name: string,
    private readonly baseUrl: string,
    private readonly judge: Judge,
    private readonly findings: Findings,
    private readonly onAcknowledged: () => void,
  ) {}

  async perform(request: ClientRequest): Promise<Acknowledged | null> {
    this.judge.sent(request);
    const acknowledged = await this.#send(request);
    if (acknowledged === null) {
      for (const name of request.names) this.judge.refused(name);
      return null;
    }
    this.judge.answered(acknowledged);
    if (request.key !== null) this.kept.push(acknowledged);
    if (this.kept.length > 50) this.kept.shift();
    return acknowledged;
  }

  /** Repeats an answered request: its answer must be the same. */
  async again(acknowledged: Acknowledged): Promise<void> {
    const now = await this.#send(acknowledged.request);
    const same = (answer: Acknowledged | null): string =>
      JSON.stringify(answer && { ...answer, body: withoutSecrets(answer.body), request: 0 });
    // A cancel that did nothing is decided again, so its answer may differ.
    const { ok } = acknowledged.body as { readonly ok?: boolean };
    if (now !== null && ok !== undefined) return;
    if (same(now) === same(acknowledged)) return;
    this.findings.add(
      'wrongAnswer',
      `${acknowledged.request.names.join(', ')}: first ${same(acknowledged)}, then ${same(now)}`,
    );
  }

  /** Reads, and checks that the answer is not older than earlier ones. */
  async read(path: string, token: string): Promise<unknown> {
    const seq = this.#newestSeq;
    for (;;) {
      const answer = await this.#request('GET', path, token);
      if (answer !== null && answer.status === 200) {
        const readSeq = Number(answer.headers.get('x-journal-seq'));
        if (readSeq < seq) {
          const text = `${this.name} knew ${seq}, and GET ${path} was of ${readSeq}`;
          this.findings.add('staleRead', text);
        }
        return answer.body;
      }
      if (answer !== null && answer.status !== 503) this.#unexpected('GET', path, answer);
      await wait(RETRY_MS);
    }
  }

  async #send(request: ClientRequest): Promise<Acknowledged | null> {
    for (;;) {
      const sentMs = performance.now();
      const answer = await this.#request(request.method, request.path, request.token, request);
      if (answer?.status === 200 && !isPartlyUnanswered(answer.body)) {
        const { body, headers } = answer;
        const seq = Number(headers.get('x-journal-seq'));
        this.sentMs = sentMs;
        this.#newestSeq = Math.max(this.#newestSeq, seq);
        this.onAcknowledged();
        return { request, body, hash: headers.get('x-journal-hash') ?? '', seq };
      }
      if (answer?.status === 400 && REFUSALS.has((answer.body as { readonly code: string }).code)) return null;
      if (answer !== null && answer.status !== 503 && answer.status !== 200) {
        this.#unexpected(request.method, request.path, answer);
        return null;
      }
      if (answer !== null) this.refusedMs = performance.now();
      await wait(RETRY_MS);
    }
  }

  #unexpected(method: string, path: string, { body, status }: ApiResponse): void {
    const text = `${this.name}: ${method} ${path} was answered ${status} ${JSON.stringify(body)}`;
    this.findings.add('neverRight', text);
  }

  /** Sends one request; null without a connection or without a complete answer. */
  async #request(method: string, path: string, token: string, request?: ClientRequest): Promise<ApiResponse | null> {
    const sent = { method, path, key: token, timeoutMs: ANSWER_MS };
    const { body, key } = request ?? { body: undefined, key: null };
    try {
      const answer = await sendApiRequest(this.baseUrl, { ...sent, body, idempotencyKey: key ?? undefined });
      return answer.body === undefined ? null : answer;
    } catch {
      return null;
    }
  }
}

/** Whether some commands were not decided: a batch has status 200 even if one of its commands got a 503. */
function isPartlyUnanswered(body: unknown): boolean {
  const { results = [] } = body as { readonly results?: readonly { readonly status?: number }[] };
  return results.some(({ status }) => status === 503);
}

/** The body without raw keys, which are only in the first answer. */
function withoutSecrets(body: unknown): unknown {
  const { apiKey, ...rest } = body as { readonly apiKey?: object };
  return apiKey === undefined ? rest : { ...rest, apiKey: { ...apiKey, rawKey: undefined } };
}
