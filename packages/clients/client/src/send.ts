import { backOffMs, retryAfterMs, sendApiRequest } from './api-request.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import { IdempotencyKeyTooOld, OutcomeUnknown, Unreachable } from './errors.ts';
import { pause } from './pause.ts';
import { refusalOf } from './refusal.ts';

/** The options of sending a request. */
export interface Sending {
  readonly baseUrl: string;
  readonly request: ApiRequest;
  readonly name: string;
  readonly changes: boolean;
  /** The time of the first attempt if an earlier call made it; ms since 1970 UTC. */
  readonly firstSentAt?: number | undefined;
  readonly retryForMs: number;
  readonly timeoutMs: number;
}

/** An answer, and whether an earlier attempt may have carried the command out. */
export interface SentAnswer {
  readonly response: ApiResponse;
  readonly mayBeRepeat: boolean;
}

const PAUSE_MS_MAX = 5_000;
/** The least time for which the service stores an Idempotency-Key. */
const KEY_AGE_MS_MAX = 24 * 3_600_000;
/** Answers after which the same request may succeed. 502 and 504 come from proxies. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Codes of errors after which nothing can have been sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/**
 * Sends a request until it is answered: again after a cut, 429 and 503, by Retry-After, until its time is over.
 * @throws OutcomeUnknown when a command may have been carried out and no answer says so; Unreachable when no answer
 * came and nothing can have happened; ApiRefusal for 429 and 503 at the end of the time, for a request that was not
 * carried out; TypeError for what cannot be sent; IdempotencyKeyTooOld for a key that the service may have forgotten
 */
export async function send(sending: Sending): Promise<SentAnswer> {
  const { baseUrl, changes, name, request, retryForMs, timeoutMs } = sending;
  const { idempotencyKey = null, signal } = request;
  const firstSentAt = sending.firstSentAt ?? Date.now();
  // An invalid header value must fail here: in fetch it would look like a lost connection.
  if (idempotencyKey !== null) new Headers({ 'idempotency-key': idempotencyKey });
  const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const endsAt = performance.now() + retryForMs;
  let mayBeRepeat = sending.firstSentAt !== undefined;
  const unknown = (cause: unknown): Error => new OutcomeUnknown(name, idempotencyKey, firstSentAt, cause);
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = endsAt - performance.now();
    // A time limit is a whole number of milliseconds.
    const attemptMs = attempt === 1 ? timeoutMs : Math.min(timeoutMs, Math.max(1, Math.ceil(leftMs)));
    if (idempotencyKey !== null && Date.now() + attemptMs - firstSentAt > KEY_AGE_MS_MAX) {
      throw new IdempotencyKeyTooOld(name, idempotencyKey);
    }
    let pauseMs = backOffMs(attempt, PAUSE_MS_MAX) * (0.5 + Math.random() / 2);
    let failure: Error;
    try {
      const response = await sendApiRequest(baseUrl, { ...request, text, timeoutMs: attemptMs });
      const { status } = response;
      // The service could not tell whether the command was carried out.
      if (status === 500 && changes) throw unknown(refusalOf(name, response));
      if (!RETRIED.has(status)) return { response, mayBeRepeat };
      mayBeRepeat ||= status !== 429;
      failure = refusalOf(name, response);
      pauseMs = retryAfterMs(response) ?? pauseMs;
    } catch (error) {
      if (error instanceof OutcomeUnknown) throw error;
      mayBeRepeat ||= !isNotSent(error);
      if (signal?.aborted === true) throw changes && mayBeRepeat ? unknown(signal.reason) : signal.reason;
      failure = new Unreachable(`${name}: ${baseUrl} does not answer.`, { cause: error });
    }
    if (performance.now() + pauseMs >= endsAt) throw changes && mayBeRepeat ? unknown(failure) : failure;
    await pause(pauseMs, signal ?? undefined);
    if (signal?.aborted === true) throw changes && mayBeRepeat ? unknown(signal.reason) : signal.reason;
  }
}

/** Whether the request certainly did not reach the service. */
function isNotSent(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return NOT_SENT.has(cause?.code);
}
