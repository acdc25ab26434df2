import { status } from '@grpc/grpc-js';

/** How a call ends with an error: its gRPC status, and the trailers that the client makes its error classes from. */
export interface Failure {
  readonly code: status;
  readonly message: string;
  readonly trailers?: Readonly<Record<string, string>>;
}

/** The server's reasons to refuse an append. On the batch path the refusal comes within the stream. */
export type Refusal =
  | 'access_denied'
  | 'busy'
  | 'no_leader_info'
  | 'not_leader'
  | 'not_ready'
  | 'stream_deleted'
  | 'timeout'
  | 'unknown';

/** The fault of an append. `stored` says whether the batch is stored all the same. */
export type AppendFault =
  /** The server never answers. */
  | { readonly kind: 'silence'; readonly stored: boolean }
  /** The server refuses with an error, in the form of each way to append. */
  | { readonly kind: 'refusal'; readonly reason: Refusal; readonly stored: boolean }
  /** The unary call, or the whole stream of batches, ends with the error. */
  | { readonly kind: 'error'; readonly failure: Failure; readonly stored: boolean }
  /** The stream of batches, or the unary call, is cut together with its connection. */
  | { readonly kind: 'cut'; readonly stored: boolean }
  /** The right answer, twice. A unary call has one answer only. */
  | { readonly kind: 'twice' }
  /** An answer to an id that was never sent, then the right one. A unary call has no ids. */
  | { readonly kind: 'stray' };

/** The fault of a read or a subscription that has given `after` events. */
export type ReadFault =
  /** The server sends nothing more. */
  | { readonly kind: 'silence'; readonly after: number }
  | { readonly kind: 'error'; readonly after: number; readonly failure: Failure }
  /** The read ends as if that were all events. */
  | { readonly kind: 'end'; readonly after: number }
  /** Events that are under way are lost with the connection. */
  | { readonly kind: 'cut'; readonly after: number };

/** The fault of a call with a single answer. */
export type CallFault =
  | { readonly kind: 'silence' }
  | { readonly kind: 'error'; readonly failure: Failure }
  | { readonly kind: 'cut' };

/**
 * The faults of each operation. `append` covers both of the client's ways to append, `subscribe` a read that does not
 * end.
 */
export interface Faults {
  append: AppendFault;
  features: CallFault;
  gossip: CallFault;
  read: ReadFault;
  subscribe: ReadFault;
}

export type Operation = keyof Faults;

export const NOT_READY: Failure = { code: status.UNAVAILABLE, message: 'Server Is Not Ready' };
export const BUSY: Failure = { code: status.UNAVAILABLE, message: 'Server Is Too Busy' };
export const NO_LEADER_INFO: Failure = { code: status.UNKNOWN, message: 'No leader info available in response' };
export const TIMED_OUT: Failure = { code: status.ABORTED, message: 'Operation timed out: Commit phase timeout.' };
export const UNKNOWN: Failure = { code: status.UNKNOWN, message: 'Unexpected OperationResult: Unknown' };
export const ACCESS_DENIED: Failure = {
  code: status.PERMISSION_DENIED,
  message: 'Access Denied',
  trailers: { exception: 'access-denied' },
};

export function streamDeleted(stream: string): Failure {
  return {
    code: status.FAILED_PRECONDITION,
    message: `Event stream '${stream}' is deleted.`,
    trailers: { exception: 'stream-deleted', 'stream-name': stream },
  };
}

export function tooLarge(limitBytes: number): Failure {
  return {
    code: status.INVALID_ARGUMENT,
    message: `Maximum Append Size of ${limitBytes} Exceeded.`,
    trailers: { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(limitBytes) },
  };
}

export function notLeader(host: string, port: number): Failure {
  return {
    code: status.NOT_FOUND,
    message: 'Leader info available',
    trailers: { exception: 'not-leader', 'leader-endpoint-host': host, 'leader-endpoint-port': String(port) },
  };
}

/** Assigns faults to calls. */
export interface FaultScript {
  /** The number of calls of the operation so far. */
  calls(operation: Operation): number;
  /** Resolves when so many calls of the operation have come. */
  called(operation: Operation, times: number): Promise<void>;
  /** Applies the first fault to the next call of the operation, the second to the call after it, and so on. */
  next<O extends Operation>(operation: O, ...faults: Faults[O][]): void;
  /**
   * Applies the fault, or the one that the function returns (undefined: none), to every call for which no `next` is
   * queued, until the returned function is called.
   */
  while<O extends Operation>(operation: O, fault: Faults[O] | (() => Faults[O] | undefined)): () => void;
}

/** The script of faults, with the methods that the server calls. */
export interface FaultQueue extends FaultScript {
  /** Counts a call and returns its fault. */
  take<O extends Operation>(operation: O): Faults[O] | undefined;
}

type Standing = { [O in Operation]?: Faults[O] | (() => Faults[O] | undefined) };
type Waiting = { [O in Operation]: Faults[O][] };

export function createFaultQueue(): FaultQueue {
  const waiting: Waiting = { append: [], features: [], gossip: [], read: [], subscribe: [] };
  const standing: Standing = {};
  const counts: Record<Operation, number> = { append: 0, features: 0, gossip: 0, read: 0, subscribe: 0 };
  const listeners = new Set<() => void>();
  return {
    called: (operation, times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (counts[operation] < times) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    calls: (operation) => counts[operation],
    next: (operation, ...faults) => void waiting[operation].push(...faults),
    take: (operation) => {
      counts[operation] += 1;
      for (const listener of [...listeners]) listener();
      const always = standing[operation];
      const fault = waiting[operation].shift() ?? (typeof always === 'function' ? always() : always);
      return fault as Faults[typeof operation] | undefined;
    },
    while: (operation, fault) => {
      standing[operation] = fault as Standing[typeof operation];
      return () => {
        standing[operation] = undefined as Standing[typeof operation];
      };
    },
  };
}
