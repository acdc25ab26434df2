import type { PulseBody } from '@paper/contracts/markets';

/** A snapshot of markets, with the journal sequence at which it was read. */
export interface PulseMessage {
  readonly seq: number;
  readonly pulse: PulseBody;
}

/**
 * Carries pulses (`PulseMessage`) from projectors to stream gateways, in the order of each publisher. A late pulse has
 * no value, so none is kept or sent twice.
 */
export interface PulseChannel {
  /** Resolves when the message has been handed over; does nothing after `close`. */
  publish(message: PulseMessage): Promise<void>;
  /** Calls the handler, which must not throw, until the returned function is called. */
  subscribe(handler: (message: PulseMessage) => void): () => void;
  close(): Promise<void>;
}
