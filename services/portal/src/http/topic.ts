import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';
import { createParser } from 'eventsource-parser';
import type { AnswerHead } from './api-requests.ts';

/** A stream of the API that is joined with others. */
export interface Topic {
  readonly name: string;
  /** The silence after which the topic counts as dead; the API sends an event or a comment more often. */
  readonly silentMs: number;
  /** Clients with the same key share one stream of prices (`pulse`); null: each client has a stream of its own. */
  readonly sharedAs: string | null;
  /** Opens the stream, after the last event that the page has, until the signal aborts. It may be refused. */
  readonly open: (signal: AbortSignal) => Promise<AnswerHead>;
}

/** Receives the server-sent events of a topic, which carry its name. */
interface TopicReader {
  /** Called when the topic is live; `seq` is the journal sequence from which it is. */
  readonly began: (seq: number) => void;
  /** Called with each event as bytes for the client, and with its data. */
  readonly event: (bytes: Buffer, seq: number, data: string) => void;
  /** Called with a comment, which shows that the topic is alive, or with the topic's end and its reason. */
  readonly passed: (bytes: Buffer) => void;
}

const REFUSAL_MAX = 16 * 1024;
/** A comment that shows a client that its stream is alive. */
export const COMMENT = Buffer.from(':\n\n');

/** The event `began`: the topic is live from this journal sequence on. */
export function beganEvent(name: string, seq: number): Buffer {
  return topicEvent('began', { topic: name, seq });
}

/** Reads a topic until it ends, or the signal aborts. Never rejects: the reader gets the reason of the end. */
export async function readTopic(topic: Topic, reader: TopicReader, signal: AbortSignal): Promise<void> {
  const end = (reason: object): void => reader.passed(topicEvent('ended', { topic: topic.name, ...reason }));
  try {
    const answer = await topic.open(signal);
    if (answer.status !== 200) {
      end(await refusalOf(answer));
      return;
    }
    reader.began(Number(answer.headers['x-journal-seq'] ?? 0));
    await readEvents(answer, topic, reader);
    end(unreachable('The service ended the connection.'));
  } catch (error) {
    if (signal.aborted) return;
    const isKnown = error instanceof ApiError;
    end(
      isKnown
        ? { status: error.status, code: error.code, error: error.message, retryAfterMs: null }
        : unreachable(error instanceof SilentStream ? error.message : 'The service does not answer; trying again.'),
    );
  }
}

export function topicEvent(event: string, data: object): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

class SilentStream extends Error {}

/** Reads the events of an answer. @throws when it breaks off, or is silent for too long. */
async function readEvents(answer: IncomingMessage, { name, silentMs }: Topic, reader: TopicReader): Promise<void> {
  const parser = createParser({
    onEvent: ({ data, event = 'message', id }) => {
      const head = `event: ${name} ${event}\n${id === undefined ? '' : `id: ${id}\n`}`;
      reader.event(Buffer.from(`${head}data: ${data}\n\n`), Number(id ?? 0), data);
    },
    onComment: () => reader.passed(COMMENT),
  });
  const decoder = new TextDecoder();
  const isSilent = (): void => void answer.destroy(new SilentStream('The connection is silent.'));
  let timer = setTimeout(isSilent, silentMs);
  try {
    for await (const chunk of answer) {
      clearTimeout(timer);
      timer = setTimeout(isSilent, silentMs);
      parser.feed(decoder.decode(chunk as Buffer, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}

async function refusalOf(answer: AnswerHead): Promise<object> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += (chunk as Buffer).length;
    if (length > REFUSAL_MAX) break;
    chunks.push(chunk as Buffer);
  }
  const { code, error } = parsed(Buffer.concat(chunks).toString('utf8'));
  const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
  return {
    status: answer.status,
    code: typeof code === 'string' ? code : 'internal',
    error: typeof error === 'string' ? error : `The service answered ${answer.status} without a reason.`,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null,
  };
}

function parsed(text: string): { readonly code?: unknown; readonly error?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const unreachable = (error: string): object => ({ status: 0, code: 'unreachable', error, retryAfterMs: null });
