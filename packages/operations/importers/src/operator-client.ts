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

/** Reads DATA_DIR/service.json of the running service; `instead` says in the error what else the caller can do. */
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

export type OperatorClient = ReturnType<typeof createOperatorClient>;

const PIECE = 100;
/** A market with many holders takes long to settle. */
const TIMEOUT_MS = 300_000;

/** Every command is idempotent, so an unanswered one is sent again. */
export function createOperatorClient({ baseUrl, token }: Connection) {
  const client = createClient({ baseUrl, key: token, timeoutMs: TIMEOUT_MS });
  return {
    /** The service's mode: with `kyc`, an account's orders are refused until the operator approves the account. */
    complianceMode: async () => (await client.fetchHealth()).complianceMode,
    /** Opens an account. A repeat opens no second one. */
    openAccount: (account: NewAccount) => client.openAccount(account),
    markets: (): Promise<readonly Api.Market[]> => client.fetchMarketsOfAnyPhase({ limit: 500 }).all(),
    /** Sends commands in batches that fit the limits; the results have the same order. */
    async run(commands: readonly BatchCommandBody[], onProgress: (done: number) => void) {
      const results: BatchResult[] = [];
      for (const piece of pieces(commands)) {
        results.push(...(await client.runBatch(piece)));
        onProgress(results.length);
      }
      return results;
    },
  };
}

/** Batches within both limits, in the same order. */
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
