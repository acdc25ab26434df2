import { EventStoreDBClient } from '@eventstore/db-client';
import { streamOf } from '../src/eventstoredb/layout.ts';

/** Lets a scavenge remove all but the newest events of a shard's journal, as an operator could by mistake. */
export async function limitJournal(connectionString: string, shard: string, maxCount: number): Promise<void> {
  const client = EventStoreDBClient.connectionString(connectionString);
  const stream = streamOf(shard);
  const { metadata } = await client.getStreamMetadata(stream);
  await client.setStreamMetadata(stream, { ...metadata, maxCount });
  await client.dispose();
}
