import type { Answer } from '@paper/contracts';
import type { Actor } from '@paper/exchange';
import type { DisplayNames, CommandRequest, CommandResult } from '@paper/command-side';

/** How an order that is no longer live ended. */
export interface EndedOrder {
  readonly accountId: string;
  /** Of the account that placed it; null for a primary. */
  readonly primaryAccountId: string | null;
  readonly status: 'open' | 'partial' | 'filled' | 'cancelled';
}

/** The owner of a key that the exchange has forgotten. */
export interface KeyOwner {
  readonly accountId: string;
  /** Null for a primary. */
  readonly primaryAccountId: string | null;
}

/** The command side's reads of the read models: the exchange remembers live orders only, and revoked keys for a while. */
export interface ReadModel {
  /** Resolves once the projection has reached this sequence. Rejects with ApiError `unavailable` after 2 s. */
  readonly fresh: (seq: number) => Promise<void>;
  readonly endedOrder: (orderId: string) => Promise<EndedOrder | null>;
  readonly keyOwner: (keyId: string) => Promise<KeyOwner | null>;
  /** The display name in the event of an account that was opened before names left the journal; else null. */
  readonly publicName: (accountId: string) => Promise<string | null>;
}

/** Everything that the route handlers use: the writer, names and reads. */
export interface CommandGateway {
  readonly submit: <T>(request: CommandRequest<T>) => Promise<CommandResult<T>>;
  readonly names: DisplayNames;
  readonly readModel: ReadModel;
  /** Whether a single command, outside a batch, has used this caller's Idempotency-Key. */
  readonly usedBySingle: (by: Actor, key: string) => boolean;
  /** The id of the durable event with this sequence. */
  readonly eventIdAt: (seq: number) => Promise<string>;
}

/** The answer as the pipeline sends it. */
export function toAnswer<T>({ value, seq, hash, replayed }: CommandResult<T>): Answer<T> {
  return { body: value, hash, seq, ...(replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}
