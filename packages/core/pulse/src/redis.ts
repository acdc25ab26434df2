import { once } from 'node:events';
import { count } from '@paper/contracts';
import { Pulse } from '@paper/contracts/markets';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { createInProcessPulse } from './in-process.ts';
import type { PulseChannel, PulseMessage } from './port.ts';

export interface RedisPulseSettings {
  readonly url: string;
  /** The exchange that publishers and subscribers share. Default `main`. */
  readonly shard?: string;
  /** Receives errors of broken connections, which reconnect by themselves, and of messages in another format. */
  readonly onError: (error: Error) => void;
}

const RECONNECT_MS_MAX = 1_000;
const PUBLISH_MS_MAX = 1_000;
const Message = z.strictObject({ seq: count, pulse: Pulse.schema });

/** A channel over Redis pub/sub. While Redis is away, `publish` rejects; subscribers resume by themselves later. */
export function createRedisPulse({ url, shard = 'main', onError }: RedisPulseSettings): PulseChannel {
  const channel = `paper:pulse:${shard}`;
  const subscribers = createInProcessPulse();
  let publisher: { readonly redis: Redis; readonly tried: Promise<void> } | null = null;
  let subscriber: Redis | null = null;
  let closed = false;
  const isClosed = (): boolean => closed;

  const connect = (forPublishing: boolean): Redis => {
    const redis = new Redis(url, {
      // A subscription waits for Redis without a limit; a pulse is not queued.
      maxRetriesPerRequest: null,
      ...(forPublishing
        ? { autoResendUnfulfilledCommands: false, commandTimeout: PUBLISH_MS_MAX, enableOfflineQueue: false }
        : {}),
      retryStrategy: (attempt) => Math.min(RECONNECT_MS_MAX, 50 * attempt),
      keepAlive: 10_000,
    });
    // Without a listener, an error of a connection would end the process.
    redis.on('error', onError);
    return redis;
  };

  const receive = (text: string): void => {
    let message: PulseMessage;
    try {
      message = Message.parse(JSON.parse(text));
    } catch (error) {
      onError(new Error('a message on the channel of pulses is not a pulse', { cause: error }));
      return;
    }
    void subscribers.publish(message);
  };

  return {
    async publish(message) {
      if (isClosed()) return;
      publisher ??= tried(connect(true));
      await publisher.tried;
      if (!isClosed()) await publisher.redis.publish(channel, JSON.stringify(message));
    },
    subscribe(handle) {
      if (closed) return () => undefined;
      if (subscriber === null) {
        subscriber = connect(false);
        subscriber.on('message', (_channel, text) => receive(text));
        // ioredis subscribes again after every reconnect.
        subscriber.subscribe(channel).catch(onError);
      }
      return subscribers.subscribe(handle);
    },
    close() {
      closed = true;
      publisher?.redis.disconnect();
      subscriber?.disconnect();
      return subscribers.close();
    },
  };
}

/** `tried` resolves when the first attempt to connect has ended; before that no message can be sent. */
function tried(redis: Redis): { readonly redis: Redis; readonly tried: Promise<void> } {
  const over = new AbortController();
  const { signal } = over;
  const attempt = Promise.race([once(redis, 'ready', { signal }), once(redis, 'close', { signal })]);
  return { redis, tried: attempt.catch(() => undefined).then(() => over.abort()) };
}
