import type { RunningExchange } from '@paper/testkit/exchange';
import { pacedLoop, Traders } from '../../index.ts';

const TRADERS = 16;
/** The highest rate of orders, below the usual limit of an account. */
const RATE_MAX = 1_400;

export const MARKET = 'neighbourhood';

/** Orders of sixteen accounts that trade with each other, each with one key and one connection. */
export class Orders {
  /** The number of orders whose answer had another status than 200. */
  refused = 0;

  private constructor(readonly traders: Traders) {}

  static async open(exchange: Pick<RunningExchange, 'baseUrl' | 'operatorToken'>): Promise<Orders> {
    return new Orders(await Traders.open(exchange, { accounts: TRADERS, markets: [MARKET] }));
  }

  async place(count: number): Promise<void> {
    await this.measure(RATE_MAX, count / RATE_MAX);
  }

  /** The milliseconds to each answer, from the time at which its order was due. */
  async measure(perSecond: number, seconds: number): Promise<readonly number[]> {
    const load = { port: this.traders.port, clients: TRADERS, ms: 1_000 * seconds, perSecond };
    const { latenciesMs } = await pacedLoop(load, async (connection, n) => {
      const { status } = await connection.send(this.traders.crossingRequest(n));
      if (status !== 200) this.refused += 1;
    });
    return latenciesMs;
  }
}
