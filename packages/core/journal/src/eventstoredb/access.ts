import type { EventStoreDBClient, StreamMetadata } from '@eventstore/db-client';
import { Client, Metadata } from '@grpc/grpc-js';
import { BackOff, retry } from '@paper/timing';
import { createClient } from './connection-string.ts';
import { Connection, deferred } from './connection.ts';
import { isTransient, withText } from './failures.ts';
import { streamOf } from './layout.ts';

export interface EventStoreAccess {
  /** `esdb://…` of an administrator, or of a server without users. */
  readonly connectionString: string;
  /** The shard, which names the journal on this server. */
  readonly shard: string;
  /** `esdb://user:password@…` of the only service that may append. Undefined: rights stay as they are. */
  readonly appender: string | undefined;
  /** `esdb://user:password@…` of each service that may read the journal. */
  readonly readers: readonly string[];
}

interface User {
  readonly name: string;
  readonly password: string;
}

const TIMEOUT_MS = 10_000;
/** Attempts: a cluster that has just started may still elect its leader, or store slowly. */
const ATTEMPTS = 6;
const PAUSES = { firstMs: 1_000, longestMs: 8_000 };
const ADMINS = '$admins';

/**
 * Creates the services' users with their rights to the journal's stream, and removes retention, which would hide
 * events. Can be run any number of times, also while services run.
 * @throws Error when a service's connection string has no user; errors of the client, and of gRPC.
 */
export async function prepareEventStore(access: EventStoreAccess): Promise<void> {
  const { appender, connectionString, readers, shard } = access;
  const users = appender === undefined ? [] : [appender, ...readers].map(userOf);
  const backOff = new BackOff(PAUSES);
  await retry(() => prepareOnce(connectionString, streamOf(shard), users), {
    backOff,
    isTemporary: (error) => isTransient(error) && backOff.failures < ATTEMPTS - 1,
  });
}

/** Makes one attempt. `users`: the appender, then the readers; without users the rights stay as they are. */
async function prepareOnce(connectionString: string, stream: string, users: readonly User[]): Promise<void> {
  const client = createClient(connectionString);
  const connection = new Connection(client);
  try {
    for (const user of users) await ensureUser(connection, user);
    const [first] = users;
    await setMetadata(client, stream, first === undefined ? {} : { acl: rightsOf(first, users) });
  } catch (error) {
    throw withText(error);
  } finally {
    connection.close();
  }
}

function rightsOf(appender: User, users: readonly User[]) {
  const all = users.map(({ name }) => name);
  return {
    deleteRoles: [ADMINS],
    metaReadRoles: all,
    metaWriteRoles: [ADMINS],
    readRoles: all,
    writeRoles: [appender.name],
  };
}

function userOf(connectionString: string): User {
  const [, name, password] = /^[^/?]*\/\/([^:@/?]+):([^@/?]+)@/.exec(connectionString) ?? [];
  if (name !== undefined && password !== undefined) {
    return { name: decodeURIComponent(name), password: decodeURIComponent(password) };
  }
  throw new Error('the connection string of a service has no user: expected is esdb://user:password@host:2113');
}

/** Sets the stream's rights and removes its retention; keeps the rest of its metadata. */
async function setMetadata(client: EventStoreDBClient, stream: string, rights: StreamMetadata): Promise<void> {
  const { metadata: present } = await client.getStreamMetadata(stream);
  const { maxAge, maxCount, truncateBefore, ...kept } = present ?? {};
  const isHiding = maxAge !== undefined || maxCount !== undefined || truncateBefore !== undefined;
  if (isHiding || Object.keys(rights).length > 0) await client.setStreamMetadata(stream, { ...kept, ...rights });
}

async function ensureUser(connection: Connection, { name, password }: User): Promise<void> {
  try {
    await callUsers(connection, 'Create', [name, password, name]);
  } catch (error) {
    if (!isConflict(error)) throw error;
    await callUsers(connection, 'ResetPassword', [name, password]);
  }
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof Error &&
    'metadata' in error &&
    error.metadata instanceof Metadata &&
    error.metadata.get('exception')[0]?.toString() === 'user-conflict'
  );
}

/** Calls EventStoreDB's service for users, which the client library lacks. `options`: the request's strings. */
function callUsers(
  connection: Connection,
  method: 'Create' | 'ResetPassword',
  options: readonly string[],
): Promise<void> {
  const request = field(1, Buffer.concat(options.map((text, index) => field(index + 1, Buffer.from(text)))));
  return connection.call(Client, TIMEOUT_MS, (service, metadata, callOptions) => {
    const { promise, reject, resolve } = deferred<undefined>();
    const call = service.makeUnaryRequest(
      `/event_store.client.users.Users/${method}`,
      (bytes: Buffer) => bytes,
      () => true,
      request,
      metadata,
      callOptions,
      (error) => (error === null ? resolve(undefined) : reject(error)),
    );
    return { answer: promise, call };
  });
}

/** A Protocol Buffers field with a length: a tag, the length as a varint, and the bytes. */
function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>= 7) {
    length.push(left > 127 ? (left & 127) | 128 : left);
    if (left <= 127) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}
