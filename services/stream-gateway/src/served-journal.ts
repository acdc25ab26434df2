/** The part of the read models' `JournalCheck` that the streams use. */
export interface ServedJournal {
  /** @throws Unavailable while the read models do not match the journal. */
  assertNone(): void;
  /**
   * Calls back when the read models stop matching the journal. The events that streams were sent then belong to another
   * journal, so the streams end.
   */
  onDivergence(listener: () => void): () => void;
}
