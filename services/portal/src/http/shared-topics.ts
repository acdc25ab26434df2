import { once } from 'node:events';
import type { PulseBody } from '@paper/contracts/markets';
import { inPieces } from '@paper/timing';
import { beganEvent, COMMENT, readTopic, topicEvent } from './topic.ts';
import type { Topic } from './topic.ts';

interface SharedStream {
  readonly clients: Set<(bytes: Buffer) => void>;
  readonly abort: AbortController;
  /** The latest event, for clients that connect between two events, with the figures of its markets as texts. */
  latest: { readonly bytes: Buffer; readonly seq: number; readonly figures: ReadonlyMap<string, string> } | null;
  readonly ended: Promise<void>;
}

/**
 * Reads a stream of prices once for all its clients, and ends it with the last of them. A client first gets all markets,
 * then those whose figures changed.
 */
export class SharedTopics {
  readonly #streams = new Map<string, SharedStream>();

  /** Sends a client the events of a topic from the latest one on, until the topic or the signal ends. Never rejects. */
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
    let sending = Promise.resolve();
    const toAll = (bytes: Buffer): void => {
      const present = [...clients];
      sending = sending.then(() => inPieces(present, (write) => clients.has(write) && write(bytes)));
    };
    const reader = {
      // Waiting clients are answered together with the first event.
      began: () => undefined,
      event: (bytes: Buffer, seq: number, data: string) => {
        const { markets } = JSON.parse(data) as PulseBody;
        const before = stream.latest?.figures;
        const figures = new Map(markets.map((entry) => [entry.id, figuresOf(entry)]));
        stream.latest = { bytes, seq, figures };
        if (before === undefined) {
          toAll(beganEvent(topic.name, seq));
          toAll(bytes);
          return;
        }
        const changed = markets.filter(({ id }) => figures.get(id) !== before.get(id));
        // The comment shows that the stream is alive.
        toAll(changed.length === 0 ? COMMENT : topicEvent(`${topic.name} message`, { markets: changed }));
      },
      passed: toAll,
    };
    const read = async (): Promise<void> => {
      await readTopic(topic, reader, abort.signal);
      this.#forget(key, stream);
      await sending;
    };
    const stream: SharedStream = { clients, abort, latest: null, ended: Promise.resolve().then(read) };
    this.#streams.set(key, stream);
    return stream;
  }

  #forget(key: string, stream: SharedStream): void {
    if (this.#streams.get(key) === stream) this.#streams.delete(key);
  }
}

/** The figures of a market that a page shows, without its sequence, which changes with every order. */
const figuresOf = ({ seq: _seq, ...figures }: PulseBody['markets'][number]): string => JSON.stringify(figures);
