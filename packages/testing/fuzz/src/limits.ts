import type { RunningStandalone } from '@paper/testkit/exchange';
import { Client, CONNECTIONS } from './client.ts';
import { makeRequest } from './make.ts';
import type { FuzzContext } from './request.ts';

/** Sends requests as fast as possible to a service with low limits, over which each must get 429 and change nothing. */
export async function fuzzLimited(
  { baseUrl }: Pick<RunningStandalone, 'baseUrl'>,
  context: FuzzContext,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Client> {
  const client = new Client(baseUrl, context.api, context.pool);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count && client.finds.length === 0) {
      const index = next;
      next += 1;
      // The answers depend on time, so no ids are collected and nothing is repeated.
      const request = makeRequest(seed, index, index % 2 === 0, context);
      if (request.expected?.repeats === undefined) await client.ask(request, index);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return client;
}
