import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../port.ts';
import { NoJournal } from './failures.ts';

/** The stream that holds the journal of a shard. */
export function streamOf(shard: string): string {
  return `exchange-${shard}`;
}

/** The revision of a sequence: EventStoreDB counts from 0, the journal from 1. */
export const revisionOf = (seq: number): number => seq - 1;
export const seqOf = (revision: number): number => revision + 1;

/** An event's metadata (FORMAT.md). The private text is stored as a string, so that its bytes do not change. */
interface StoredMetadata {
  readonly $correlationId: string;
  readonly hash: string;
  readonly privateText?: string;
}

/** A message for an append. The two ways to append have separate message classes with the same fields. */
interface ProposedMessage {
  getMetadataMap(): { set(key: string, value: string): unknown };
  setCustomMetadata(value: Uint8Array): unknown;
  setData(value: Uint8Array): unknown;
  setId(value: InstanceType<typeof shared.UUID>): unknown;
}

/** Fills the message with a stored event as FORMAT.md says. */
export function propose<M extends ProposedMessage>(message: M, event: StoredEvent): M {
  const metadata: StoredMetadata = {
    $correlationId: commandIdIn(event),
    hash: event.hash,
    ...(event.privateText === null ? {} : { privateText: event.privateText }),
  };
  message.setId(new shared.UUID().setString(event.id));
  message.getMetadataMap().set('type', event.type);
  message.getMetadataMap().set('content-type', 'application/json');
  message.setData(Buffer.from(event.publicText));
  message.setCustomMetadata(Buffer.from(JSON.stringify(metadata)));
  return message;
}

/** Reads an event back from the stream. @throws NoJournal for an event of another program. */
export function parseStoredEvent(message: ReadResp): StoredEvent {
  const event = message.getEvent()?.getEvent();
  if (event === undefined) throw new Error('EventStoreDB has given an event without its record');
  const seq = seqOf(Number(event.getStreamRevision()));
  const { hash, privateText = null } = metadataOf(event.getCustomMetadata_asU8(), seq);
  return {
    hash,
    id: event.getId()?.getString() ?? '',
    privateText,
    publicText: Buffer.from(event.getData_asU8()).toString('utf8'),
    seq,
    type: event.getMetadataMap().get('type') ?? '',
  };
}

function metadataOf(bytes: Uint8Array, seq: number): StoredMetadata {
  try {
    const metadata = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<StoredMetadata> | null;
    if (typeof metadata?.hash === 'string') return metadata as StoredMetadata;
  } catch {
    // The text is not JSON, so this program did not write it.
  }
  throw new NoJournal(`the event at sequence ${seq} was not written by a journal: its metadata has no hash`);
}

/** The id of the command, which every public text has (FORMAT.md); quotation marks inside its strings are escaped. */
function commandIdIn({ publicText }: StoredEvent): string {
  return /"commandId":"([^"]*)"/.exec(publicText)?.[1] ?? '';
}
