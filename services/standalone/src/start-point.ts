import type { StartPoint } from '@paper/command-side';
import type { Journal } from '@paper/journal';

/** The longest journal that is folded beside the fill of empty read models: both then need little memory. */
const FOLDED_BESIDE_MAX = 200_000;

/**
 * Waits for the fill of empty read models before a long journal is folded from its first event, since both at once
 * need the memory of both. With a snapshot nothing waits: commands are then decided within seconds.
 */
export function afterFill(begin: StartPoint, journal: Pick<Journal, 'head'>, filled: Promise<void>): StartPoint {
  return async () => {
    const from = await begin();
    if (from.head.seq === 0 && (await journal.head()).seq > FOLDED_BESIDE_MAX) await filled;
    return from;
  };
}
