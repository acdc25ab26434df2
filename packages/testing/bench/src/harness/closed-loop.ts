import { KeptConnection } from './kept-connection.ts';

export interface LoadOptions {
  readonly port: number;
  readonly clients: number;
  readonly ms: number;
  /** Called after the first requests, before those that are measured. */
  readonly whenOpen?: () => Promise<void>;
}

export interface Load {
  /** The time of each answer. */
  readonly latenciesMs: readonly number[];
  readonly perSecond: number;
}

/**
 * Load of clients that keep their connections, each with one request under way, for `ms`. Each sends one request before
 * it is measured: with the first one a front door opens its own connection.
 * @param ask sends the `n`th request of all, and throws where its answer is wrong
 */
export async function closedLoop(
  { port, clients, ms, whenOpen }: LoadOptions,
  ask: (connection: KeptConnection, n: number) => Promise<unknown>,
): Promise<Load> {
  let asked = 0;
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = await KeptConnection.open(port);
      await ask(connection, asked++);
      return connection;
    }),
  );
  await whenOpen?.();
  const latenciesMs: number[] = [];
  const begunMs = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let sentMs = performance.now(); sentMs - begunMs < ms; sentMs = performance.now()) {
        await ask(connection, asked++);
        latenciesMs.push(performance.now() - sentMs);
      }
    }),
  );
  const perSecond = (1_000 * latenciesMs.length) / (performance.now() - begunMs);
  for (const connection of connections) connection.close();
  return { latenciesMs, perSecond };
}
