import { totalmem } from 'node:os';
import type { Settings } from '@paper/exchange/commands';

/** The memory that one stored Idempotency-Key takes, as measured. */
const ENTRY_BYTES = 700;
const MEMORY_PART_MAX = 1 / 10;

/** The memory that this process may use: the machine's, or its container's if that is less. */
export function memoryBytes(constrained = process.constrainedMemory(), total = totalmem()): number {
  return constrained > 0 ? Math.min(constrained, total) : total;
}

/** The warning if the stored Idempotency-Keys may take more than a tenth of `memory` bytes; null if they cannot. */
export function idempotencyWarning({ idempotencyEntries }: Settings, memory: number): string | null {
  const most = memory * MEMORY_PART_MAX;
  const bytes = idempotencyEntries * ENTRY_BYTES;
  if (bytes <= most) return null;
  return (
    `IDEMPOTENCY_ENTRIES is ${idempotencyEntries}: they may take ${megabytes(bytes)} MB, more than a tenth of the ` +
    `${megabytes(memory)} MB of memory. Set it to ${Math.floor(most / ENTRY_BYTES)} or less, or add memory.`
  );
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
