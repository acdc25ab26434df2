import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BATCH_BYTES, BATCH_COMMANDS } from '@paper/contracts/operator';
import type { BatchCommandBody, NewAccount } from '@paper/contracts/operator';
import { createOperatorClient as createClient } from 'paper-trading-client';
import type { Api, BatchResult } from 'paper-trading-client';

/** The service's URL, and an operator's token. */
export interface Connection {
  readonly baseUrl: string;
  readonly token: string;
}

/** The given URL and token, or those that the running service wrote to DATA_DIR/service.json. */
export function findService(given: { readonly url?: string; readonly token?: string }): Connection {
  if (given.url !== undefined && given.token !== undefined) return { baseUrl: given.url, token: given.token };
  const { file, left } = readService('give --url and --token');
  const baseUrl = given.url ?? left.baseUrl;
  const token = given.token ?? left.operatorToken;
  if (typeof baseUrl !== 'string' || typeof token !== 'string') throw new Error(`${file} names no address and token.`);
  return { baseUrl, token };
}

/**
 * Reads what the running service wrote to DATA_DIR/service.json.
 * @param instead what else the caller can do, for the error message if there is no such file
 */
export function readService(instead: string): { readonly file: string; readonly left: LeftService } {
  const file = path.resolve(process.env['DATA_DIR'] ?? './data', 'service.json');
  try {
    return { file, left: JSON.parse(readFileSync(file, 'utf8')) as LeftService };
  } catch {
    throw new Error(`No running service left its address in ${file}: run npm start, or ${instead}.`);
  }
}

interface LeftService {
  readonly baseUrl?: unknown;
  readonly operatorToken?: unknown;
  readonly demo?: { readonly apiKey?: unknown } | null;
}

export interface OperatorClient {
  /** Reads all markets, in every phase. */
  markets(): Promise<readonly Api.Market[]>;
  /** Reads the compliance mode. With `kyc`, an account's orders are refused until the operator approves the account. */
  complianceMode(): Promise<Api.Health['complianceMode']>;
  /** Opens one account and returns it with a new key. A repeat opens no second account. */
  openAccount(account: NewAccount): Promise<Api.OpenedAccount>;
  /** Sends the commands in batches that fit the limits; returns their results in the same order. */
  run(commands: readonly BatchCommandBody[], onProgress: (done: number) => void): Promise<readonly BatchResult[]>;
}

/** The number of commands in a batch, small enough that progress is visible. */
const PIECE = 100;
/** The time limit of a batch: a market with many holders takes long to settle. */
const TIMEOUT_MS = 300_000;

/** A client of the operator's API. Every command is idempotent, so an unanswered one is sent again. */
export function createOperatorClient({ baseUrl, token }: Connection): OperatorClient {
  const client = createClient({ baseUrl, key: token, timeoutMs: TIMEOUT_MS });
  return {
    complianceMode: async () => (await client.fetchHealth()).complianceMode,
    openAccount: (account) => client.openAccount(account),
    markets: () => client.fetchMarketsOfAnyPhase({ limit: 500 }).all(),
    async run(commands, onProgress) {
      const results: BatchResult[] = [];
      for (const piece of pieces(commands)) {
        results.push(...(await client.runBatch(piece)));
        onProgress(results.length);
      }
      return results;
    },
  };
}

/** Cuts commands into batches within both limits, in the same order. */
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
