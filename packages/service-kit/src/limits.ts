/** Limits of clients at a listener. SECURITY.md describes them, and a test compares it with these values. */
export const LIMITS = {
  /** The request line and the headers together. */
  headerBytes: 16 * 1024,
  /** Headers and body must have arrived by then. */
  arrivalMs: 10_000,
  /** A handler must have answered by then. */
  answerMs: 10_000,
  /** An answer that is written whole must have been taken in by then. */
  deliveryMs: 30_000,
  /** How long an idle connection is kept open: longer than the usual proxy keeps its side. */
  keepAliveMs: 65_000,
  /** Open at once; CONNECTIONS_MAX is another number. */
  connections: 30_000,
  /** Open at once on the port for those who run the service. */
  operationConnections: 1_000,
} as const;
