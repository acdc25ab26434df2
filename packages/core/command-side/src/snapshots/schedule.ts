/** The next attempt after a failure comes this many times sooner than after a success. */
const SOONER = 10;

/** The shortest time between two snapshots that are taken because names were forgotten. */
export const REPLACE_EVERY_MS = 60_000;

/** Decides when a snapshot is due: a number of events after the last, or earlier if names were forgotten. */
export class SnapshotSchedule {
  #dueAt: number;
  #replacedMs = -Infinity;

  /** `every`: the number of events between two snapshots; 0: no snapshot is ever due. */
  constructor(
    private readonly every: number,
    private lastSeq: number,
  ) {
    this.#dueAt = lastSeq + every;
  }

  isDue(journalSeq: number): boolean {
    return this.every > 0 && journalSeq >= this.#dueAt;
  }

  taken(seq: number): void {
    this.lastSeq = seq;
    this.#dueAt = seq + this.every;
  }

  /** Makes a snapshot due if the newest snapshot is from before `seq`, at most once in `REPLACE_EVERY_MS`. */
  replaceBefore(seq: number, nowMs: number): void {
    if (this.lastSeq === 0 || this.lastSeq >= seq || nowMs < this.#replacedMs + REPLACE_EVERY_MS) return;
    this.#replacedMs = nowMs;
    this.#dueAt = Math.min(this.#dueAt, seq);
  }

  /** Records that an attempt at that sequence failed: the next attempt comes sooner than usual, but not at once. */
  failed(journalSeq: number): void {
    this.#dueAt = journalSeq + Math.ceil(this.every / SOONER);
  }
}
