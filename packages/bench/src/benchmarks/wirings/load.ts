import { KeptConnection } from '../../harness/kept-connection.ts';
import type { ExchangeSet } from './exchange-set.ts';

/** Sums over the rounds of one load on one set. */
export class Measured {
  readonly rates: number[] = [];
  readonly latenciesMs: number[] = [];
  /** Time that the projection took after each round to reach the end. */
  readonly catchUpsMs: number[] = [];
  /** CPU seconds by process. */
  readonly processor = new Map<string, number>();

  /** Sends orders on that many connections, each with one under way, for `ms`; then waits for the projection. */
  async round(set: ExchangeSet, port: number, connections: number, ms: number): Promise<void> {
    const open = await Promise.all(
      Array.from({ length: connections }, async () => {
        const connection = await KeptConnection.open(port);
        // The first request makes the front door open its own connection to the service.
        await set.order(connection);
        return connection;
      }),
    );
    const before = await processorSeconds(set);
    const begunMs = performance.now();
    const first = this.latenciesMs.length;
    await Promise.all(
      open.map(async (connection) => {
        while (performance.now() - begunMs < ms) {
          const sentMs = performance.now();
          await set.order(connection);
          this.latenciesMs.push(performance.now() - sentMs);
        }
      }),
    );
    const orders = this.latenciesMs.length - first;
    this.rates.push((1_000 * orders) / (performance.now() - begunMs));
    for (const connection of open) connection.close();
    this.catchUpsMs.push(await set.caughtUp());
    for (const [name, seconds] of await processorSeconds(set)) {
      const spent = seconds - (before.get(name) ?? 0);
      this.processor.set(name, (this.processor.get(name) ?? 0) + spent);
    }
  }
}

async function processorSeconds({ processes }: ExchangeSet): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  for (const [name, metricsUrl] of processes) {
    const text = await (await fetch(metricsUrl)).text();
    const line = /^(?:\w+_)?process_cpu_seconds_total(?:\{.*\})? (\S+)/m.exec(text);
    if (line === null) throw new Error(`${metricsUrl} tells no process_cpu_seconds_total`);
    seconds.set(name, Number(line[1]));
  }
  return seconds;
}
