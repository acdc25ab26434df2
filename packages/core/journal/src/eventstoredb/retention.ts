import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { listenWithRetries } from '../listening.ts';
import type { Connection } from './connection.ts';
import { follow, read } from './streams.ts';

/** The keys of stream metadata that limit which events a stream shows, and which a scavenge keeps. */
export const HIDING = ['$maxCount', '$maxAge', '$tb'] as const;

export interface RetentionOptions {
  readonly connection: Connection;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly stream: string;
  readonly timeoutMs: number;
}

/** Follows the metadata of the journal's stream until the signal aborts, since an operator can set it at any time. */
export class Retention {
  #hiding: string | null = null;

  constructor(private readonly options: RetentionOptions) {
    const { onError, signal, stream } = options;
    const listen = (connected: () => void): Promise<void> => this.#follow(`$$${stream}`, connected);
    void listenWithRetries({ listen, onError, signal });
  }

  /** What hides stored events, with the command that removes it; null when nothing is known to hide them. */
  get threat(): string | null {
    return this.#hiding === null ? null : `stream ${this.options.stream} can lose events: ${this.#hiding}`;
  }

  #follow(metadata: string, connected: () => void): Promise<void> {
    const { connection, onError, signal, timeoutMs } = this.options;
    const arrived = (message: ReadResp): void => {
      if (message.hasEvent()) this.#hiding = hidingIn(message);
      if (!message.hasConfirmation()) return;
      connected();
      // Retention may have been set before the subscription began.
      connection.streams(timeoutMs, read(metadata, 'last', hidingIn)).then(([hiding = null]) => {
        this.#hiding = hiding;
      }, onError);
    };
    return follow(connection, metadata, arrived, signal, 'the metadata of the journal');
  }
}

/** What this event of a metadata stream hides, as a text for operators; null if it hides nothing. */
export function hidingIn(message: ReadResp): string | null {
  const data = message.getEvent()?.getEvent()?.getData_asU8() ?? new Uint8Array();
  const metadata = metadataOf(Buffer.from(data).toString('utf8'));
  const key = HIDING.find((one) => metadata[one] !== undefined);
  if (key === undefined) return null;
  return (
    `its metadata has ${key} = ${JSON.stringify(metadata[key])}, which hides events from every reader, and a scavenge ` +
    "removes them. Run `npm run roles` with an administrator's JOURNAL_URL, which mends it, and no scavenge before"
  );
}

/** The server accepts only JSON as metadata of a stream. A deleted event has no text. */
function metadataOf(text: string): Readonly<Record<string, unknown>> {
  return text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
}
