import { headersOf } from '@paper/service-kit';
import type { Call } from '@paper/service-kit';
import type { SharedTopics } from './shared-topics.ts';
import { beganEvent, readTopic } from './topic.ts';
import type { Topic } from './topic.ts';

export interface JoinedStreamOptions {
  readonly call: Call;
  readonly topics: readonly Topic[];
  readonly sharedTopics: SharedTopics;
  /** Learns of the opening, with what cuts the stream, and returns what is called when it has ended; null: no need. */
  readonly opened: ((cut: () => void) => () => void) | null;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** Bytes that a client may leave unread before it is disconnected. */
const UNREAD_MAX = 1024 * 1024;

/**
 * Answers with the events of several streams as one stream of server-sent events:
 *
 * - `event: began`, data `{topic, seq}`: from here on the topic is live, from this journal sequence on.
 * - `event: <topic> <type>` with the topic's own id and data. The id counts for its topic alone.
 * - `event: ended`, data `{topic, status, code, error, retryAfterMs}`: the topic has ended, with the API's own words; the
 *   others go on. The answer ends with its last topic.
 */
export async function joinedStream({ call, opened, sharedTopics, signal, topics }: JoinedStreamOptions): Promise<void> {
  const { request, response } = call;
  const cut = (): void => void response.destroy();
  call.isStream = true;
  // A body that ends with its connection needs no frame around each event.
  response.useChunkedEncodingByDefault = false;
  const headers = headersOf(call);
  headers.push('content-type', 'text/event-stream; charset=utf-8', 'connection', 'close');
  headers.push('cache-control', 'no-store, no-transform', 'x-accel-buffering', 'no');
  const ended = opened?.(cut);
  // A browser that closed its side has left. Without this, only a reset at the next event would show it.
  request.socket.once('end', cut);
  response.once('close', () => {
    request.socket.off('end', cut);
    ended?.();
  });
  response.writeHead(200, headers as string[]);
  response.flushHeaders();
  const write = (bytes: Buffer): void => {
    if (response.writableLength > UNREAD_MAX) cut();
    else if (!response.destroyed) response.write(bytes);
  };
  await Promise.all(
    topics.map((topic) => {
      if (topic.sharedAs !== null) return sharedTopics.follow(topic.sharedAs, topic, write, signal);
      const began = (seq: number): void => write(beganEvent(topic.name, seq));
      return readTopic(topic, { began, event: write, passed: write }, signal);
    }),
  );
  response.end();
}
