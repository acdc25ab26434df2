import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';
import { every, systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { MarketSnapshots } from './market-snapshots.ts';
import type { PulseChannel } from './port.ts';

interface PulseMakerSettings {
  readonly snapshots: Pick<MarketSnapshots, 'mostActive'>;
  readonly channel: PulseChannel;
  /** Receives the error of a failed pulse; the next one is made anyway. */
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Publishes a snapshot of the most active markets at once and then every 2 s. The leading projector runs it. */
export function createPulseMaker({ snapshots, channel, onError, clock = systemClock }: PulseMakerSettings) {
  let stopTicking = (): void => undefined;
  let making: Promise<void> | null = null;

  const make = async (): Promise<void> => {
    try {
      await channel.publish(await snapshots.mostActive());
    } catch (error) {
      onError(error);
    } finally {
      making = null;
    }
  };

  return {
    start() {
      stopTicking = every(PULSE_INTERVAL_MS, () => void (making ??= make()), clock);
    },
    /** Resolves when the pulse under way has been published. */
    async stop() {
      stopTicking();
      await making;
    },
  };
}
