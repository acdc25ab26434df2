import type { PulseChannel, PulseMessage } from './port.ts';

/** A channel whose publisher and subscribers are in one process. */
export function createInProcessPulse(): PulseChannel {
  const handlers = new Set<{ readonly handle: (message: PulseMessage) => void }>();
  return {
    publish(message) {
      for (const { handle } of handlers) handle(message);
      return Promise.resolve();
    },
    subscribe(handle) {
      const subscription = { handle };
      handlers.add(subscription);
      return () => void handlers.delete(subscription);
    },
    close() {
      handlers.clear();
      return Promise.resolve();
    },
  };
}
