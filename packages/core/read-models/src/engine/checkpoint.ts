import { bool, int8, text } from '@paper/pg-bulk';
import { table } from './table.ts';

/**
 * The projection's checkpoint, one row named `main`. `retired`: another schema serves instead. Readers wait until `seq`
 * reaches `served_from`, the journal's head when the projection began. It becomes 0 when `seq` has reached it.
 */
export const CHECKPOINT = table(
  'checkpoint',
  { name: text(), seq: int8, hash: text(), at_ms: int8, retired: bool, served_from: int8 },
  ['name'],
);

/** The position of a projection. */
export interface Checkpoint {
  readonly seq: number;
  readonly hash: string;
  /** The time of the event at the checkpoint; 0 before the first event. */
  readonly atMs: number;
}
