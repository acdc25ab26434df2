import type { PulseChannel } from '@paper/pulse';
import type { Metrics } from '@paper/runtime';

/** Wraps the channel so that failed publications are counted. Failures to read a snapshot from Postgres are not. */
export function countPulseFailures(channel: PulseChannel, metrics: Metrics): PulseChannel {
  const failures = metrics.counter('pulse_publish_failures_total', 'Pulses that Redis did not take');
  return {
    close: () => channel.close(),
    subscribe: (handler) => channel.subscribe(handler),
    publish: async (message) => {
      try {
        await channel.publish(message);
      } catch (error) {
        failures.inc();
        throw error;
      }
    },
  };
}
