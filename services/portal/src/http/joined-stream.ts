import { beginStream } from '@paper/http';
import type { Call } from '@paper/http';
import type { SharedTopics } from './shared-topics.ts';
import { beganEvent, COMMENT, readTopic } from './topic.ts';
import type { Topic } from './topic.ts';

interface JoinedStreamOptions {
  readonly call: Call;
  readonly topics: readonly Topic[];
  readonly sharedTopics: SharedTopics;
  /** Called when the stream opens, with a function that cuts it; returns the function to call when it has ended. */
  readonly opened: ((cut: () => void) => () => void) | null;
}

/** The most bytes that a client may leave unread before it is disconnected. */
const UNREAD_MAX = 1024 * 1024;

/**
 * Answers with the events of several streams as one stream of server-sent events:
 * - `event: began`, data `{topic, seq}`: the topic is live from this journal sequence on.
 * - `event: <topic> <type>` with the topic's own id and data. The id applies only to its topic.
 * - `event: ended`, data `{topic, status, code, error, retryAfterMs}`: the topic has ended, with the API's own text;
 *   the others continue. The answer ends with its last topic.
 */
export async function joinedStream({ call, opened, sharedTopics, topics }: JoinedStreamOptions): Promise<void> {
  let ended = (): void => undefined;
  const closed = new AbortController();
  const { signal } = closed;
  const stream = beginStream(call)(null, COMMENT, () => {
    closed.abort();
    ended();
  });
  ended = opened?.(stream.cut) ?? ended;
  const write = (bytes: Buffer): void => {
    if (stream.buffered > UNREAD_MAX) stream.cut();
    else stream.write(bytes);
  };
  await Promise.all(
    topics.map((topic) => {
      if (topic.sharedAs !== null) return sharedTopics.follow(topic.sharedAs, topic, write, signal);
      const began = (seq: number): void => write(beganEvent(topic.name, seq));
      return readTopic(topic, { began, event: write, passed: write }, signal);
    }),
  );
  stream.end();
}
