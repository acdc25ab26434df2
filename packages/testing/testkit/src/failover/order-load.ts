import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'paper-trading-client';
import { scaledMs } from '../eventually.ts';

/** The final answer to one command: the first answer with a status other than 503. */
export interface Answered {
  readonly status: number;
  /** The id of the placed order; null for a refused order. */
  readonly orderId: string | null;
  readonly by: string;
  readonly atMs: number;
  /** Time from the first sending of the command to this answer, in ms. */
  readonly waitedMs: number;
}

export type OrderLoad = ReturnType<typeof startOrderLoad>;

export interface OrderLoadOptions {
  /** URLs that commands may be sent to at present. */
  readonly urls: () => readonly string[];
  readonly apiKeys: readonly string[];
  readonly marketId: string;
  readonly name: string;
  /** The pause of a client between an answer and its next order. Default: none. */
  readonly restMs?: number;
}

/** A suspended process takes requests and answers none, so clients give up after this time. */
const ANSWER_MS = 1_000;
const PAUSE_MS = 20;

/** Clients that place orders continuously. Each order has an Idempotency-Key, and is repeated until it is answered. */
export function startOrderLoad({ urls, apiKeys, marketId, name, restMs = 0 }: OrderLoadOptions) {
  const sent = new Set<string>();
  const answered = new Map<string, Answered>();
  const waiting = new Set<{ readonly url: string; readonly resolve: (answer: Answered) => void }>();
  let running = true;

  const ask = async (
    url: string,
    apiKey: string,
    key: string,
    nth: number,
    sentMs: number,
  ): Promise<Answered | null> => {
    const price = (5 + (nth % 90)) / 100;
    const body = { marketId, outcome: nth % 2 === 0 ? 'yes' : 'no', price, quantity: 1 } as const;
    const client = createClient({ baseUrl: url, key: apiKey, timeoutMs: scaledMs(ANSWER_MS) });
    try {
      const answer = await client.request('placeOrder', { body }, { idempotencyKey: key });
      const { status } = answer;
      if (status === 503) return null;
      const atMs = performance.now();
      return { atMs, by: url, orderId: status === 200 ? answer.body.id : null, status, waitedMs: atMs - sentMs };
    } catch {
      return null;
    }
  };
  const note = (key: string, answer: Answered): void => {
    answered.set(key, answer);
    if (answer.status !== 200) return;
    for (const one of waiting) {
      if (one.url !== answer.by) continue;
      waiting.delete(one);
      one.resolve(answer);
    }
  };
  const client = async (apiKey: string, index: number): Promise<void> => {
    let at = 0;
    for (let nth = 0; running; nth += 1) {
      const key = `${name}-${index}-${nth}`;
      sent.add(key);
      const sentMs = performance.now();
      for (let answer: Answered | null = null; answer === null;) {
        const baseUrls = urls();
        answer = await ask(baseUrls[at % baseUrls.length] ?? '', apiKey, key, nth, sentMs);
        if (answer !== null) {
          note(key, answer);
          if (restMs > 0) await sleep(restMs);
        } else {
          at += 1;
          await sleep(PAUSE_MS);
        }
      }
    }
  };
  const clients = Promise.all(apiKeys.map(client));
  return {
    sent: sent as ReadonlySet<string>,
    answered: answered as ReadonlyMap<string, Answered>,
    /** Resolves with the next answer of status 200 from this process. */
    acknowledgedBy: (url: string) => new Promise<Answered>((resolve) => void waiting.add({ resolve, url })),
    /** Stops sending new commands. Resolves when each command that was sent has its answer. */
    async stop(): Promise<void> {
      running = false;
      await clients;
    },
  };
}
