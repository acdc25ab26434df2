import { storedBytes } from './envelope.ts';
import { AppendRefused, type Head, type StoredEvent } from './port.ts';

/** EventStoreDB takes no larger append, so no adapter does: a journal must be movable from one to the other. */
export const MAX_BATCH_BYTES = 1024 * 1024;

/**
 * Refuses a batch that no journal can store: an empty one, one with a gap, one that does not follow `expected`, and one
 * that is too large.
 * @throws AppendRefused
 */
export function checkBatch(expected: Head, batch: readonly StoredEvent[]): void {
  if (batch.length === 0) throw new AppendRefused('the batch is empty');
  let bytes = 0;
  for (const [index, event] of batch.entries()) {
    if (event.seq !== expected.seq + 1 + index) {
      throw new AppendRefused(`sequence ${event.seq} cannot stand at ${expected.seq + 1 + index}`);
    }
    bytes += storedBytes(event);
  }
  if (bytes > MAX_BATCH_BYTES)
    throw new AppendRefused(`the batch has ${bytes} bytes, ${MAX_BATCH_BYTES} are the limit`);
}
