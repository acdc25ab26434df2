import type { Random } from '@paper/testkit';
import type { Agenda } from './agenda.ts';
import type { Machine } from './machine.ts';

/** The rates of network faults, each 0..1. Each seed draws its rates, so that seeds differ. */
export interface FaultRates {
  readonly requestLost: number;
  readonly answerLost: number;
  readonly connectionReset: number;
  readonly duplicated: number;
  /** The rate of messages that take seconds instead of milliseconds. */
  readonly slow: number;
  readonly refused: number;
  readonly damagedSnapshot: number;
}

export const NO_FAULTS: FaultRates = {
  answerLost: 0,
  connectionReset: 0,
  damagedSnapshot: 0,
  duplicated: 0,
  refused: 0,
  requestLost: 0,
  slow: 0,
};

/** Draws the rates. In each seed about half of the faults occur, seldom or often. */
export function drawFaultRates(random: Random): FaultRates {
  const odds = (most: number): number => (random.chance(0.5) ? 0 : (random.int(1, 100) / 100) * most);
  return {
    answerLost: odds(0.2),
    connectionReset: odds(0.1),
    damagedSnapshot: odds(0.5),
    duplicated: odds(0.3),
    refused: odds(0.2),
    requestLost: odds(0.2),
    slow: odds(0.05),
  };
}

/** The error of a call without an answer. The request may have arrived, or may still arrive. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface Call<T> {
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

  /** @throws NoAnswer, and the server's errors */
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
