export { LINE_CHARACTERS_MAX, splitLines } from './lines.ts';
export { MADE_NEWS } from './made-news.ts';
export { openTape, type Tape, type TapeSummary } from './open-tape.ts';
export { MICROS_PER_SHARE, sharesMoved, wholeShares } from './sizes.ts';
export { SKIP_REASONS, skipText, TapeRefused } from './skips.ts';
export { TapeBook } from './tape-book.ts';
export type * from './tape-event.ts';
export { sideTakenBy } from './tape-event.ts';
