/** How much sooner than after a success the next try comes after a failure. */
const SOONER = 10;

/** When the next snapshot is due: so many events after the last one. */
export class SnapshotSchedule {
  private dueAt: number;

  /** `every` events; 0: never. `lastSeq` is what the newest snapshot stands for, 0 without one. */
  constructor(
    private readonly every: number,
    lastSeq: number,
  ) {
    this.dueAt = lastSeq + every;
  }

  isDue(journalSeq: number): boolean {
    return this.every > 0 && journalSeq >= this.dueAt;
  }

  /** There is one of that sequence now. */
  taken(seq: number): void {
    this.dueAt = seq + this.every;
  }

  /** It failed when the journal was there: not again at once, but before so many events have come again. */
  failed(journalSeq: number): void {
    this.dueAt = journalSeq + Math.ceil(this.every / SOONER);
  }
}
