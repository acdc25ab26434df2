export interface PeerSettings {
  /** The body of each answer: the bytes with which the service answered one order. */
  readonly answer: string;
  readonly databaseUrl: string;
  /** The text that the floor stores for each order, as long as the journal's texts for one. */
  readonly stored: string;
}
