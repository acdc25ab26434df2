/** What the streams need of the read models' `JournalCheck`. */
export interface ServedJournal {
  /** @throws ApiError unavailable while the read models do not match the journal. */
  assertNone(): void;
  /** Calls back when they do not match any more: what was sent of them was of another journal, so its streams end. */
  onDivergence(listener: () => void): () => void;
}
