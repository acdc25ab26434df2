/** Limits of clients at a listener. docs/operate/security.md describes them, and a test compares it with these values. */
export const LIMITS = {
  /** The request line and the headers together. */
  headerBytes: 16 * 1024,
  /** Headers and body must have arrived by then. */
  arrivalMs: 10_000,
  /** A handler must have answered by then. */
  answerMs: 10_000,
  /** An answer that is written whole must have been taken in by then. */
  deliveryMs: 30_000,
  /** How long an idle connection is kept open: longer than a typical proxy's own limit. */
  keepAliveMs: 65_000,
  /** A connection is closed after this number of answers of 429 or 421 in a row (http-rules, Rate limits). */
  refusalsInRow: 100,
  /** Connections open at once; the setting CONNECTIONS_MAX overrides it. */
  connections: 30_000,
  /** Connections open at once on the port for operators (METRICS_PORT). */
  operationConnections: 1_000,
} as const;
