import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { sendUnaryData } from '@grpc/grpc-js';
import { promisify } from 'node:util';
import { appendCall, batchAppendCall } from './append-calls.ts';
import type { AppendContext } from './append-calls.ts';
import { createConnectionGate } from './connection-gate.ts';
import type { ConnectionGate } from './connection-gate.ts';
import { createFaultQueue, NOT_READY, streamDeleted } from './faults.ts';
import type { CallFault, FaultScript } from './faults.ts';
import { readCall } from './read-calls.ts';
import { createStreamLog } from './stream-log.ts';
import type { AppendOutcome, StreamLog } from './stream-log.ts';
import { expectedRevision, serviceError, streamName } from './wire.ts';

/**
 * A server that implements EventStoreDB's protocol over real gRPC on 127.0.0.1, keeps its streams in memory, and fails
 * as a test demands: calls by the script, connections by the gate, the node by its state, readers by `log.showUpTo`.
 */
export interface FakeEventStore {
  /** `esdb://127.0.0.1:PORT?tls=false`, or by discovery. */
  connectionString(options?: { readonly discover?: boolean }): string;
  readonly faults: FaultScript;
  readonly gate: ConnectionGate;
  readonly log: StreamLog;
  /**
   * Sets the node's state. A booting node answers that it is not ready; gossip shows its state. A node starts as a
   * leader.
   */
  become(state: 'booting' | 'follower' | 'leader'): void;
  /** Acts like a process that was killed and started again: every connection ends, all acknowledged events remain. */
  restart(): void;
  close(): Promise<void>;
}

/** The version that the semantics are those of. */
const SERVER_VERSION = '24.2.0';

const NODE_STATES = {
  booting: gossip.MemberInfo.VNodeState.UNKNOWN,
  follower: gossip.MemberInfo.VNodeState.FOLLOWER,
  leader: gossip.MemberInfo.VNodeState.LEADER,
};

export async function startFakeEventStore(): Promise<FakeEventStore> {
  const log = createStreamLog();
  const faults = createFaultQueue();
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  let state: keyof typeof NODE_STATES = 'leader';
  const booting = (): boolean => state === 'booting';

  const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createInsecure());
  const gate = await createConnectionGate(port);
  const appends: AppendContext = {
    cut: () => gate.cut(),
    fault: () => {
      const fault = faults.take('append');
      return fault ?? (booting() ? ({ kind: 'refusal', reason: 'not_ready', stored: false } as const) : undefined);
    },
    leader: () => ({ host: '127.0.0.1', port: gate.port }),
    store: (stream, expected, events) => log.append(stream, expected, events),
  };
  const streamsServer: IStreamsServer = {
    append: appendCall(appends),
    batchAppend: batchAppendCall(appends),
    delete: ({ request }, answer) => {
      const options = request.getOptions();
      if (options === undefined) return;
      const expected = expectedRevision(options, () => options.getRevision());
      const outcome = log.delete(streamName(options.getStreamIdentifier()), expected, 'hide');
      answerDeletion(outcome, new streams.DeleteResp().setNoPosition(new shared.Empty()), answer);
    },
    read: readCall({
      cut: () => gate.cut(),
      log,
      notReady: () => (booting() ? NOT_READY : undefined),
      readFault: () => faults.take('read'),
      subscribeFault: () => faults.take('subscribe'),
    }),
    tombstone: ({ request }, answer) => {
      const options = request.getOptions();
      if (options === undefined) return;
      const expected = expectedRevision(options, () => options.getRevision());
      const outcome = log.delete(streamName(options.getStreamIdentifier()), expected, 'tombstone');
      answerDeletion(outcome, new streams.TombstoneResp().setNoPosition(new shared.Empty()), answer);
    },
  };
  const featuresServer: IServerFeaturesServer = {
    getSupportedMethods: (_call, answer) => answerCall(faults.take('features'), supportedMethods(), answer, gate),
  };
  const gossipServer: IGossipServer = {
    read: (_call, answer) =>
      answerCall(faults.take('gossip'), clusterInfo(NODE_STATES[state], gate.port), answer, gate),
  };
  server.addService(StreamsService, streamsServer);
  server.addService(ServerFeaturesService, featuresServer);
  server.addService(GossipService, gossipServer);

  return {
    become: (next) => {
      state = next;
    },
    close: async () => {
      await gate.shut();
      server.forceShutdown();
    },
    connectionString: ({ discover = false } = {}) =>
      `esdb${discover ? '+discover' : ''}://127.0.0.1:${gate.port}?tls=false`,
    faults,
    gate,
    log,
    restart: () => {
      gate.cut();
      log.forgetIds();
    },
  };
}

function answerCall<Response>(
  fault: CallFault | undefined,
  response: Response,
  answer: sendUnaryData<Response>,
  gate: ConnectionGate,
): void {
  switch (fault?.kind) {
    case undefined:
      answer(null, response);
      return;
    case 'error':
      answer(serviceError(fault.failure));
      return;
    case 'cut':
      gate.cut();
      return;
    case 'silence':
  }
}

function answerDeletion<Response>(outcome: AppendOutcome, done: Response, answer: sendUnaryData<Response>): void {
  switch (outcome.kind) {
    case 'stored':
      answer(null, done);
      return;
    case 'stream_deleted':
      answer(serviceError(streamDeleted(outcome.stream)));
      return;
    case 'wrong_expected_version':
    case 'too_large':
      answer(serviceError({ code: status.FAILED_PRECONDITION, message: 'Delete failed due to WrongExpectedVersion.' }));
  }
}

function supportedMethods() {
  const supported = new features.SupportedMethods().setEventStoreServerVersion(SERVER_VERSION);
  for (const { path } of Object.values(StreamsService)) {
    const [, service = '', method = ''] = path.toLowerCase().split('/');
    supported.addMethods(new features.SupportedMethod().setServiceName(service).setMethodName(method));
  }
  return supported;
}

function clusterInfo(state: (typeof NODE_STATES)[keyof typeof NODE_STATES], port: number) {
  const endPoint = new gossip.EndPoint().setAddress('127.0.0.1').setPort(port);
  const member = new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString('6f1e0c52-5f6b-4a4f-9c35-0d4d3f1b7a10'))
    .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
    .setState(state)
    .setIsAlive(true)
    .setHttpEndPoint(endPoint);
  return new gossip.ClusterInfo().setMembersList([member]);
}
