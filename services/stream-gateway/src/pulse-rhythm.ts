import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';
import type { PulseChannel, PulseMessage } from '@paper/pulse';
import type { Clock } from '@paper/timing';

/** The time without a pulse (a snapshot of the markets) after which the gateway makes pulses itself. */
export const SILENCE_MS = 1.5 * PULSE_INTERVAL_MS;

export type PulseMaker = 'channel' | 'gateway';

interface PulseRhythmSettings {
  readonly channel: PulseChannel;
  readonly clock: Clock;
  /** The least time between two pulses in ms; a pulse that arrives sooner is dropped. */
  readonly gapMs: number;
  readonly onPulse: (message: PulseMessage, maker: PulseMaker) => void;
  /** Called after `SILENCE_MS` without a pulse, and then once an interval until the channel delivers one. */
  readonly onSilence: () => void;
}

export class PulseRhythm {
  #state: 'following' | 'stopped' = 'following';
  #lastPulseMs = -Infinity;
  #cancelTimer = (): void => undefined;
  #unsubscribe = (): void => undefined;

  constructor(private readonly settings: PulseRhythmSettings) {}

  start(): void {
    this.#unsubscribe = this.settings.channel.subscribe((message) => {
      this.offer(message, 'channel');
      this.#awaitPulse(SILENCE_MS);
    });
    this.#awaitPulse(SILENCE_MS);
  }

  stop(): void {
    this.#state = 'stopped';
    this.#unsubscribe();
    this.#cancelTimer();
  }

  offer(message: PulseMessage, maker: PulseMaker): void {
    const { clock, gapMs, onPulse } = this.settings;
    const nowMs = clock.monotonic();
    if (this.#state === 'stopped' || nowMs - this.#lastPulseMs < gapMs) return;
    this.#lastPulseMs = nowMs;
    onPulse(message, maker);
  }

  #awaitPulse(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.settings.clock.after(ms, () => {
      this.#awaitPulse(PULSE_INTERVAL_MS);
      this.settings.onSilence();
    });
  }
}
