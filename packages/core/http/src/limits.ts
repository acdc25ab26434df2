/** The limits of clients at a listener. A test compares docs/operate/security.md with them. */
export const LIMITS = {
  /** The size of the request line and the headers together. */
  headerBytes: 16 * 1024,
  /** The time limit for the arrival of headers and body. */
  arrivalMs: 10_000,
  /** The time limit for a handler's answer. */
  answerMs: 10_000,
  /** The time limit for a client to receive an answer that is written completely. */
  deliveryMs: 30_000,
  /** How long an idle connection is kept open: longer than a typical proxy's own limit. */
  keepAliveMs: 65_000,
  /** A connection is closed after this number of answers of 429 or 421 in a row (http-rules, Rate limits). */
  refusalsInRow: 100,
  /** The most open connections; the setting CONNECTIONS_MAX overrides it. */
  connections: 30_000,
  /** The most open connections on the port for operators (METRICS_PORT). */
  operationConnections: 1_000,
} as const;
