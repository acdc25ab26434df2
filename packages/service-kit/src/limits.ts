/** What a client may take of a listener: SECURITY.md tells people, and a test holds it against this. */
export const LIMITS = {
  /** The request line and the headers together. */
  headerBytes: 16 * 1024,
  /** Headers and body must have arrived by then. */
  arrivalMs: 10_000,
  /** A handler must have answered by then. */
  answerMs: 10_000,
  /** An answer that is written whole must have been taken in by then. */
  deliveryMs: 30_000,
  /** So long an idle connection is kept: longer than the usual proxy keeps its side. */
  keepAliveMs: 65_000,
  /** Open at once; CONNECTIONS_MAX is another number. */
  connections: 30_000,
  /** Open at once on the port for those who run the service. */
  operationConnections: 1_000,
} as const;
