/** The factor by which the next attempt comes sooner after a failure than after a success. */
const SOONER = 10;

/** Decides when the next snapshot is due: a number of events after the last one. */
export class SnapshotSchedule {
  #dueAt: number;

  /** `every` events; 0: never. `lastSeq` is the sequence of the newest snapshot, 0 without one. */
  constructor(
    private readonly every: number,
    lastSeq: number,
  ) {
    this.#dueAt = lastSeq + every;
  }

  isDue(journalSeq: number): boolean {
    return this.every > 0 && journalSeq >= this.#dueAt;
  }

  /** A snapshot of that sequence was stored. */
  taken(seq: number): void {
    this.#dueAt = seq + this.every;
  }

  /** An attempt failed at that sequence: the next one comes sooner than usual, but not at once. */
  failed(journalSeq: number): void {
    this.#dueAt = journalSeq + Math.ceil(this.every / SOONER);
  }
}
