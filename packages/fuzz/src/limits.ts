import type { RunningStandalone } from '@paper/testkit';
import { Client, CONNECTIONS } from './client.ts';
import { makeRequest } from './make.ts';
import type { World } from './request.ts';

/**
 * The same kinds of requests as fast as they go, at a service that limits rates as it does for its users. What is over
 * the limit is 429, and nothing else comes of it.
 */
export async function fuzzLimited(
  { baseUrl }: Pick<RunningStandalone, 'baseUrl'>,
  world: World,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Client> {
  const client = new Client(baseUrl, world.api, world.pool);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count && client.finds.length === 0) {
      const index = next;
      next += 1;
      // Its answers depend on time, so nothing is learned from them, and nothing is repeated.
      const request = makeRequest(seed, index, index % 2 === 0, world);
      if (request.expected?.repeats === undefined) await client.ask(request, index);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return client;
}
