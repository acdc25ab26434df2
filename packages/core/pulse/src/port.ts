import type { PulseBody } from '@paper/contracts/markets';

/** A whole snapshot of the markets, with the journal sequence at which it was read. */
export interface PulseMessage {
  readonly seq: number;
  readonly pulse: PulseBody;
}

/**
 * Carries pulses from their maker to the gateways. A late pulse has no value, so none is kept for later subscribers,
 * and none is sent twice. Messages of one publisher arrive in order.
 */
export interface PulseChannel {
  /** Resolves when the message has been handed over; rejects when that fails. Does nothing after `close`. */
  publish(message: PulseMessage): Promise<void>;
  /**
   * Calls the handler with every message from about now on, until the returned function is called. The handler must not
   * throw.
   */
  subscribe(handler: (message: PulseMessage) => void): () => void;
  /** Closes the channel: no handler is called afterwards. */
  close(): Promise<void>;
}
