import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  BATCH_BYTES,
  BATCH_COMMANDS,
  type BatchAnswerBody,
  type BatchCommandBody,
  type BatchResultBody,
  type CreatedApiKeyBody,
  type HealthBody,
  type MarketBody,
  type NewAccount,
  type OpenedAccountBody,
} from '@paper/contracts';

/** The service's URL, and an operator's token. */
export interface Connection {
  readonly baseUrl: string;
  readonly token: string;
}

/** The given URL and token, else those that the running service wrote to DATA_DIR/service.json. */
export function findService(given: { readonly url?: string; readonly token?: string }): Connection {
  if (given.url !== undefined && given.token !== undefined) return { baseUrl: given.url, token: given.token };
  const file = path.resolve(process.env['DATA_DIR'] ?? './data', 'service.json');
  let left: { baseUrl?: unknown; operatorToken?: unknown };
  try {
    left = JSON.parse(readFileSync(file, 'utf8')) as typeof left;
  } catch {
    throw new Error(`No running service left its address in ${file}: run npm start, or give --url and --token.`);
  }
  const baseUrl = given.url ?? left.baseUrl;
  const token = given.token ?? left.operatorToken;
  if (typeof baseUrl !== 'string' || typeof token !== 'string') throw new Error(`${file} names no address and token.`);
  return { baseUrl, token };
}

export interface OperatorClient {
  /** Every market of every phase. */
  markets(): Promise<MarketBody[]>;
  /** `kyc` where an account's orders are refused until the operator approves it. */
  complianceMode(): Promise<HealthBody['complianceMode']>;
  /** Opens one account, once, and returns it with a new key. */
  openAccount(account: NewAccount): Promise<OpenedAccountBody>;
  /** Sends the commands in batches that fit the limits; returns their results in the same order. */
  run(commands: readonly BatchCommandBody[], onProgress: (done: number) => void): Promise<BatchResultBody[]>;
}

/** Commands in a batch: small enough that progress is visible. */
const PIECE = 100;
const TRIES = 8;

/**
 * A client of the operator's API. Every command is idempotent, so an unanswered one (no connection, 429, 503) is sent
 * again, after the Retry-After that the service gives.
 */
export function createOperatorClient({ baseUrl, token }: Connection): OperatorClient {
  const send = async (target: string, body?: string, idempotencyKey?: string): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(new URL(target, baseUrl), {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body }),
      }).catch((error: unknown) => {
        if (attempt >= TRIES) throw new Error(`${baseUrl} does not answer.`, { cause: error });
        return null;
      });
      if (answer?.ok) return answer;
      if (answer !== null && answer.status !== 429 && answer.status !== 503) throw await refused(target, answer);
      if (answer !== null && attempt >= TRIES) throw await refused(target, answer);
      await answer?.body?.cancel();
      const retryAfterS = Number(answer?.headers.get('retry-after') ?? NaN);
      await wait(Number.isFinite(retryAfterS) ? retryAfterS * 1000 : pauseMs(attempt));
    }
  };

  /**
   * A batch has status 200 also where some of its commands could not be decided. Only those are sent again, so that
   * this run's `changed` results stay right.
   */
  const sendBatch = async (piece: readonly BatchCommandBody[]): Promise<readonly BatchResultBody[]> => {
    const results: BatchResultBody[] = [];
    let waiting = piece.map((command, index) => ({ command, index }));
    for (let attempt = 1; ; attempt += 1) {
      const body = JSON.stringify({ commands: waiting.map(({ command }) => command) });
      const answer = await send('/api/operator/batch', body, randomUUID());
      const answered = ((await answer.json()) as BatchAnswerBody).results;
      for (const [nth, { index }] of waiting.entries()) {
        const result = answered[nth];
        if (result !== undefined) results[index] = result;
      }
      waiting = waiting.filter(({ index }) => isUndecided(results[index]));
      if (waiting.length === 0 || attempt >= TRIES) return results;
      await wait(pauseMs(attempt));
    }
  };

  const post = async <T>(target: string, body: object): Promise<T> =>
    (await (await send(target, JSON.stringify(body), randomUUID())).json()) as T;

  return {
    async complianceMode() {
      const answer = await send('/api/health');
      return ((await answer.json()) as HealthBody).complianceMode;
    },
    async openAccount(account) {
      const opened = await post<OpenedAccountBody>('/api/operator/accounts', account);
      if (opened.apiKey.rawKey !== undefined) return opened;
      // The first answer was lost, and a repeated one has no raw key: issue another key.
      const { id, permissions } = { ...opened.apiKey, id: opened.account.id };
      const issued = await post<CreatedApiKeyBody>(`/api/operator/accounts/${id}/keys`, {
        name: 'default again',
        permissions,
      });
      return { ...opened, apiKey: issued.apiKey };
    },
    async markets() {
      const found: MarketBody[] = [];
      let next: string | null = '/api/operator/markets?limit=500';
      while (next !== null) {
        const answer = await send(next);
        found.push(...((await answer.json()) as MarketBody[]));
        next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
      }
      return found;
    },
    async run(commands, onProgress) {
      const results: BatchResultBody[] = [];
      for (const piece of pieces(commands)) {
        results.push(...(await sendBatch(piece)));
        onProgress(results.length);
      }
      return results;
    },
  };
}

const isUndecided = (result: BatchResultBody | undefined): boolean => result?.ok === false && result.status === 503;

const pauseMs = (attempt: number): number => Math.min(5000, 100 * 2 ** attempt);

async function refused(target: string, answer: Response): Promise<Error> {
  const text = await answer.text();
  let error: unknown;
  try {
    error = (JSON.parse(text) as { readonly error?: unknown }).error;
  } catch {
    // Not JSON: the answer came from a proxy in between.
  }
  return new Error(`${target} was refused with ${answer.status}: ${typeof error === 'string' ? error : text}`);
}

/** Cuts commands into batches within both limits, keeping the order. */
export function pieces(
  commands: readonly BatchCommandBody[],
  most: number = Math.min(PIECE, BATCH_COMMANDS),
  bytes: number = BATCH_BYTES,
): BatchCommandBody[][] {
  const cut: BatchCommandBody[][] = [];
  const frame = Buffer.byteLength(JSON.stringify({ commands: [] }));
  let size = Infinity;
  for (const command of commands) {
    const own = Buffer.byteLength(JSON.stringify(command)) + 1;
    const last = cut.at(-1);
    if (last === undefined || last.length >= most || size + own > bytes) {
      cut.push([command]);
      size = frame + own;
    } else {
      last.push(command);
      size += own;
    }
  }
  return cut;
}
