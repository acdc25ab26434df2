export interface ServedJournal {
  /** @throws Unavailable while the read models do not match the journal. */
  assertNone(): void;
  /** Calls back when the read models stop matching the journal, so that streams of another journal's events end. */
  onDivergence(listener: () => void): () => void;
}
