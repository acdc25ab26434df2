import type { Random } from '@paper/testkit';
import type { Agenda } from './agenda.ts';
import type { Machine } from './machine.ts';

/** The highest rate of each fault, 0..1. */
const HIGHEST_RATES = {
  answerLost: 0.2,
  connectionReset: 0.1,
  damagedSnapshot: 0.5,
  duplicated: 0.3,
  refused: 0.2,
  requestLost: 0.2,
  /** Of messages that take seconds instead of milliseconds. */
  slow: 0.05,
};

type FaultRates = Readonly<typeof HIGHEST_RATES>;

function ratesBy(rateOf: (highest: number) => number): FaultRates {
  const rates = Object.entries(HIGHEST_RATES).map(([fault, highest]) => [fault, rateOf(highest)]);
  return Object.fromEntries(rates) as FaultRates;
}

export const NO_FAULTS = ratesBy(() => 0);

/** Draws a rate for each fault: about half of the faults occur, seldom or often. */
export const drawFaultRates = (random: Random): FaultRates =>
  ratesBy((highest) => (random.chance(0.5) ? 0 : (random.int(1, 100) / 100) * highest));

/** The error of a call without an answer. The request may have arrived, or may still arrive. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

interface Call<T> {
  readonly to: 'journal' | 'leases';
  readonly timeoutMs: number;
  /** Runs at the server, once for each copy of the request that arrives. */
  readonly serve: () => T | Promise<T>;
}

/** Delivers requests and answers between machines and servers, late, lost or doubled at the drawn rates. */
export class Network {
  faultRates = NO_FAULTS;

  constructor(
    private readonly agenda: Agenda,
    private readonly random: Random,
  ) {}

  /** Calls a server with the faults of the present rates. Rejects with NoAnswer, or with the server's error. */
  call<T>(from: Machine, { to, timeoutMs, serve }: Call<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let over = false;
      const end = (settle: () => void): void => {
        if (over) return;
        over = true;
        cancel();
        settle();
      };
      const fail = (why: string) => (): void => end(() => reject(new NoAnswer(why)));
      const cancel = from.after(timeoutMs, fail(`no answer from the ${to} in time`));
      if (this.random.chance(this.faultRates.connectionReset)) {
        from.arrive(this.delayUs(), fail(`the connection to the ${to} was reset`));
      }
      const arrive = (): void => {
        const answer = (settle: () => void): void => {
          if (from.cutFrom.has(to) || this.random.chance(this.faultRates.answerLost)) return;
          from.arrive(this.delayUs(), () => end(settle));
        };
        const served = Promise.resolve().then(serve);
        const respond = (): void => answer(() => resolve(served));
        served.then(respond, respond);
      };
      for (let copies = this.copies(); copies > 0; copies -= 1) {
        if (!from.cutFrom.has(to)) this.agenda.add(this.delayUs(), arrive);
      }
    });
  }

  /** The number of copies of a request that arrive. */
  copies(): number {
    if (this.random.chance(this.faultRates.requestLost)) return 0;
    return this.random.chance(this.faultRates.duplicated) ? 2 : 1;
  }

  delayUs(): number {
    return this.random.chance(this.faultRates.slow) ? this.random.int(10_000, 6_000_000) : this.random.int(50, 3_000);
  }
}
