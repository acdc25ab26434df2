import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';
import { headersOf } from '@paper/service-kit';
import type { Call } from '@paper/service-kit';
import { createParser } from 'eventsource-parser';

/** A stream of the API that is joined with others. */
export interface Topic {
  readonly name: string;
  /** The id of the last event that the page has; null: none. */
  readonly since: string | null;
  /** The API sends an event or a comment more often than this. */
  readonly silentMs: number;
  /** Opens it. The answer may be a refusal. */
  readonly open: (lastEventId: string | null) => Promise<IncomingMessage & { readonly status: number }>;
}

export interface JoinedStreamOptions {
  readonly call: Call;
  readonly topics: readonly Topic[];
  /** Learns of the opening, with what cuts the stream, and returns what is called when it has ended; null: no need. */
  readonly opened: ((cut: () => void) => () => void) | null;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** Bytes that a client may leave unread before it is disconnected. */
const UNREAD_MAX = 1024 * 1024;
/** The longest refusal that is read. */
const REFUSAL_MAX = 16 * 1024;

/**
 * Answers with the events of several streams as one stream of server-sent events:
 *
 * - `event: began`, data `{topic, seq}`: from here on the topic is live, from this journal sequence on.
 * - `event: <topic> <type>` with the topic's own id and data. The id counts for its topic alone.
 * - `event: ended`, data `{topic, status, code, error, retryAfterMs}`: the topic has ended, with the API's own words; the
 *   others go on. The answer ends with its last topic.
 */
export async function joinedStream({ call, opened, signal, topics }: JoinedStreamOptions): Promise<void> {
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
  const write = (text: string): void => {
    if (response.writableLength > UNREAD_MAX) cut();
    else if (!response.destroyed) response.write(text);
  };
  await Promise.all(topics.map((topic) => follow(topic, write, signal)));
  response.end();
}

/** Sends the events of a topic until it ends. Never rejects. */
async function follow(topic: Topic, write: (text: string) => void, signal: AbortSignal): Promise<void> {
  const say = (event: string, data: object): void =>
    write(`event: ${event}\ndata: ${JSON.stringify({ topic: topic.name, ...data })}\n\n`);
  try {
    const answer = await topic.open(topic.since);
    if (answer.status !== 200) {
      say('ended', await refusalOf(answer));
      return;
    }
    const seq = Number(answer.headers['x-journal-seq'] ?? 0);
    say('began', { seq });
    await pass(answer, topic, write);
    say('ended', unreachable('The service ended the connection.'));
  } catch (error) {
    if (signal.aborted) return;
    const isKnown = error instanceof ApiError;
    say(
      'ended',
      isKnown
        ? { status: error.status, code: error.code, error: error.message, retryAfterMs: null }
        : unreachable(error instanceof SilentStream ? error.message : 'The service does not answer; trying again.'),
    );
  }
}

class SilentStream extends Error {}

/** Writes the events of an answer with the name of their topic. @throws where it breaks off, or is silent. */
async function pass(answer: IncomingMessage, { name, silentMs }: Topic, write: (text: string) => void): Promise<void> {
  const parser = createParser({
    onEvent: ({ data, event = 'message', id }) =>
      write(`event: ${name} ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    onComment: () => write(':\n\n'),
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

/** The API's refusal in its own words. */
async function refusalOf(answer: IncomingMessage & { readonly status: number }): Promise<object> {
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

function unreachable(error: string): object {
  return { status: 0, code: 'unreachable', error, retryAfterMs: null };
}
