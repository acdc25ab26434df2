import { once } from 'node:events';
import { beganEvent, readTopic } from './topic.ts';
import type { Topic } from './topic.ts';

/** A stream of the API that several clients read. */
interface SharedStream {
  readonly clients: Set<(bytes: Buffer) => void>;
  readonly abort: AbortController;
  /** Its latest event, for clients that connect between two events. */
  latest: { readonly bytes: Buffer; readonly seq: number } | null;
  readonly ended: Promise<void>;
}

/**
 * Streams of the API that are read once for all clients: a pulse is encoded once, and a thousand people on one page
 * cost the gateway a single watcher. The first client opens the stream; it ends with the last one.
 */
export class SharedTopics {
  readonly #streams = new Map<string, SharedStream>();

  /**
   * Sends a client the events of a topic until it ends or the client's signal aborts, beginning with the latest event.
   * Never rejects.
   */
  async follow(key: string, topic: Topic, write: (bytes: Buffer) => void, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const stream = this.#streams.get(key) ?? this.#open(key, topic);
    if (stream.latest !== null) {
      write(beganEvent(topic.name, stream.latest.seq));
      write(stream.latest.bytes);
    }
    stream.clients.add(write);
    const left = new AbortController();
    await Promise.race([stream.ended, once(signal, 'abort', { signal: left.signal }).catch(() => undefined)]);
    left.abort();
    stream.clients.delete(write);
    if (stream.clients.size > 0) return;
    this.#forget(key, stream);
    stream.abort.abort();
  }

  #open(key: string, topic: Topic): SharedStream {
    const clients = new Set<(bytes: Buffer) => void>();
    const abort = new AbortController();
    const toAll = (bytes: Buffer): void => {
      for (const write of clients) write(bytes);
    };
    const reader = {
      // Waiting clients are answered together with the first event.
      began: () => undefined,
      event: (bytes: Buffer, seq: number) => {
        if (stream.latest === null) toAll(beganEvent(topic.name, seq));
        stream.latest = { bytes, seq };
        toAll(bytes);
      },
      passed: toAll,
    };
    const read = async (): Promise<void> => {
      await readTopic(topic, reader, abort.signal);
      this.#forget(key, stream);
    };
    const stream: SharedStream = { clients, abort, latest: null, ended: Promise.resolve().then(read) };
    this.#streams.set(key, stream);
    return stream;
  }

  #forget(key: string, stream: SharedStream): void {
    if (this.#streams.get(key) === stream) this.#streams.delete(key);
  }
}
