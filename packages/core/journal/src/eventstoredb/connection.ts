import type { EventStoreDBClient } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { connectivityState } from '@grpc/grpc-js';
import type { CallOptions, Client, Metadata } from '@grpc/grpc-js';
import { NotReady, unanswered } from './failures.ts';

/** A call in progress: its answer, and the handle that cancels it. */
export interface Asked<T> {
  readonly answer: Promise<T>;
  readonly call: { cancel(): void };
}

/** Begins a call of a service, with the credentials and metadata that every call carries. */
export type BeginCall<C, T> = (service: C, metadata: Metadata, options: CallOptions) => Asked<T>;

/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly reject: (error: Error) => void;
  readonly resolve: (value: T) => void;
}

export function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { reject, resolve }));
  return { promise, ...(settle as unknown as Omit<Deferred<T>, 'promise'>) };
}

type Service<C> = new (address: string, credentials: never, options?: never) => C;

/**
 * The client's connection, with our own calls over it: the client's appends share one table of promises per process,
 * have no deadline, and serialize JSON again. The client connects, finds the leader, handles TLS and credentials, and
 * reconnects when a call finds the connection broken.
 */
export class Connection {
  readonly #calls = new Set<{ cancel(): void }>();
  #leads = false;

  constructor(private readonly client: EventStoreDBClient) {}

  /** Whether the server of the last call is known to be the leader: only then does a read show all events. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Calls the streams service of the leader, as `call` does. */
  streams<T>(timeoutMs: number | null, begin: BeginCall<StreamsClient, T>): Promise<T> {
    return this.call(StreamsClient, timeoutMs, begin);
  }

  /**
   * Ensures that later reads see all events: a server that has just started answers before it has found the end of its
   * log.
   * @throws NotReady while there is no leader, and errors of gRPC.
   */
  async requireLeader(timeoutMs: number): Promise<void> {
    if (this.#leads) return;
    const members = await this.call(GossipClient, timeoutMs, (service, metadata, options) => {
      const { promise, reject, resolve } = deferred<readonly InstanceType<typeof gossip.MemberInfo>[]>();
      const call = service.read(new shared.Empty(), metadata, options, (error, info) =>
        error === null ? resolve(info.getMembersList()) : reject(error),
      );
      return { answer: promise, call };
    });
    const { LEADER } = gossip.MemberInfo.VNodeState;
    if (!members.some((member) => member.getIsAlive() && member.getState() === LEADER)) {
      throw new NotReady('EventStoreDB is not ready: no member of it is the leader yet');
    }
    this.#leads = true;
  }

  /** Ends every call and the connection. Does not wait, since the client may still be looking for a server. */
  close(): void {
    for (const call of this.#calls) call.cancel();
    this.client['getChannel']().then((channel) => channel.close(), ignore);
  }

  /**
   * Calls a service of the leader; `timeoutMs` null: without a time limit.
   * @throws Error of gRPC (UNAVAILABLE: there was no answer in time).
   */
  async call<C extends Client, T>(service: Service<C>, timeoutMs: number | null, begin: BeginCall<C, T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    // The time limit includes finding a server: discovery alone could take minutes.
    const late = new Promise<never>((_, reject) => {
      if (timeoutMs !== null) timer = setTimeout(() => reject(unanswered(timeoutMs)), timeoutMs);
    });
    const answered = this.client['execute'](service as never, service.name, async (stub: C) => {
      if (stub.getChannel().getConnectivityState(false) !== connectivityState.READY) this.#leads = false;
      const { answer, call } = begin(stub, ...this.client['callArguments']({ requiresLeader: true }, MAX_TIMEOUT_MS));
      this.#calls.add(call);
      try {
        return await Promise.race([answer, late]);
      } catch (error) {
        call.cancel();
        throw error;
      } finally {
        this.#calls.delete(call);
      }
    });
    try {
      return await Promise.race([answered, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const MAX_TIMEOUT_MS = { deadline: Infinity };

function ignore(): void {
  // Without a server there is no connection to end.
}
