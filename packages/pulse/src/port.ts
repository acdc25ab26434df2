import type { PulseBody } from '@paper/contracts';

/** A whole picture of the markets, with the journal sequence that it shows. */
export interface PulseMessage {
  readonly seq: number;
  readonly pulse: PulseBody;
}

/**
 * From who makes pulses to who tells them. A pulse is worth something now or not at all: nothing is kept for those who
 * come later or are away, and none is sent twice. What one publisher publishes arrives in its order.
 */
export interface PulseChannel {
  /** Resolves when the message has been handed over; rejects when that cannot be done now. After `close`: nothing. */
  publish(message: PulseMessage): Promise<void>;
  /** Calls the handler, which must not throw, with every message from about now on, until the returned function is called. */
  subscribe(handler: (message: PulseMessage) => void): () => void;
  /** No handler is called from now on. */
  close(): Promise<void>;
}
