import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs, BATCH_BYTES, BATCH_COMMANDS, createClient, endpoints } from '@paper/contracts';
import type {
  BatchCommandBody,
  BatchResultBody,
  HealthBody,
  MarketBody,
  NewAccount,
  OpenedAccountBody,
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
  /** Reads all markets, in every phase. */
  markets(): Promise<MarketBody[]>;
  /** Reads the compliance mode. With `kyc`, an account's orders are refused until the operator approves the account. */
  complianceMode(): Promise<HealthBody['complianceMode']>;
  /** Opens one account and returns it with a new key. A repeat opens no second account. */
  openAccount(account: NewAccount): Promise<OpenedAccountBody>;
  /** Sends the commands in batches that fit the limits; returns their results in the same order. */
  run(commands: readonly BatchCommandBody[], onProgress: (done: number) => void): Promise<BatchResultBody[]>;
}

/** Commands in a batch: small enough that progress is visible. */
const PIECE = 100;
const ATTEMPTS = 8;
/** A market with many holders takes long to settle. */
const TIMEOUT_MS = 300_000;

/**
 * A client of the operator's API. Every command is idempotent, so an unanswered one (no connection, 429, 503) is sent
 * again, after the Retry-After that the service gives.
 */
export function createOperatorClient({ baseUrl, token }: Connection): OperatorClient {
  const client = createClient(endpoints, { baseUrl, key: token, attempts: ATTEMPTS, timeoutMs: TIMEOUT_MS });

  /**
   * A batch has status 200 also where some of its commands could not be decided. Only those are sent again, so that
   * this run's `changed` results stay right.
   */
  const sendBatch = async (piece: readonly BatchCommandBody[]): Promise<readonly BatchResultBody[]> => {
    const results: BatchResultBody[] = [];
    let waiting = piece.map((command, index) => ({ command, index }));
    for (let attempt = 1; ; attempt += 1) {
      const answer = await client.runOperatorBatch({ body: { commands: waiting.map(({ command }) => command) } });
      for (const [nth, { index }] of waiting.entries()) {
        const result = answer.body.results[nth];
        if (result !== undefined) results[index] = result;
      }
      waiting = waiting.filter(({ index }) => isUndecided(results[index]));
      if (waiting.length === 0 || attempt >= ATTEMPTS) return results;
      await wait(backOffMs(attempt, 5_000));
    }
  };

  return {
    async complianceMode() {
      return (await client.getHealth()).body.complianceMode;
    },
    async openAccount(account) {
      const opened = (await client.openAccount({ body: account })).body;
      if (opened.apiKey.rawKey !== undefined) return opened;
      // The first answer was lost, and a repeated one has no raw key: issue another key.
      const { permissions } = opened.apiKey;
      const issued = await client.issueAccountKey({
        params: { id: opened.account.id },
        body: { name: 'default again', permissions },
      });
      return { ...opened, apiKey: issued.body.apiKey };
    },
    markets: () => client.pages(client.listMarketsByPhase({ query: { limit: '500' } })),
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
