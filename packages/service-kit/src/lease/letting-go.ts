import { systemClock, type LeaseClock, type Tenure } from './lease.ts';

const LOOK_EVERY_MS = 1_000;
/** Looks in a row at which a holder was hindered before it lets its lease go; one that was stopped sees only one. */
const LOOKS = 4;
/** From then on every so many: where nobody else can do it either, it does what it can for most of the time. */
const LOOKS_AGAIN = 20;

export interface LettingGoOptions {
  readonly tenure: Pick<Tenure, 'letRunOut'>;
  /** What hinders this process to do what the lease is for, in words; null where nothing does. */
  readonly look: () => string | null;
  /** Told each time that it lets the lease run out. */
  readonly onLetGo: (hindrance: string) => void;
  readonly clock?: Pick<LeaseClock, 'after'>;
}

/**
 * Looks once a second, beginning at once, whether anything hinders who holds the lease, and where that lasts lets it run
 * out, so that another who is not hindered takes it. Gives what ends the looking.
 */
export function letGoWhereHindered({ tenure, look, onLetGo, clock = systemClock }: LettingGoOptions): () => void {
  let looks = 0;
  let stop: () => void = () => undefined;
  const lookOnce = (): void => {
    const hindrance = look();
    looks = hindrance === null ? 0 : looks + 1;
    if (hindrance !== null && looks % LOOKS_AGAIN === LOOKS) {
      onLetGo(hindrance);
      tenure.letRunOut();
    }
    stop = clock.after(LOOK_EVERY_MS, lookOnce);
  };
  lookOnce();
  return () => stop();
}
