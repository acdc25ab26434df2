import { endpoints } from '@paper/contracts';
import type { EndpointId } from '@paper/contracts';
import type { MarketBody } from '@paper/contracts/markets';
import type { OrderBody } from '@paper/contracts/orders';
import { eventually } from '@paper/testkit';
import type { ServiceFile } from '@paper/testkit/exchange';
import { createCheckedClient } from '@paper/testkit/http';
import { expect } from 'chai';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: string | number }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples: Readonly<Record<string, { value: unknown }>> }>>;
  };
}
interface Served {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * The request that Swagger UI sends with its prefilled examples.
 *
 * @param madeId the id in place of the example of one that only a running service makes
 */
function filledIn(template: string, { parameters = [] }: Operation, madeId?: string): string {
  const filled = (place: string): [name: string, value: string][] =>
    parameters.flatMap(({ in: where, name, example }) =>
      where === place && example !== undefined ? [[name, String(example)]] : [],
    );
  let path = madeId === undefined ? template : template.replace('{id}', madeId);
  for (const [name, value] of filled('path')) path = path.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(filled('query')).toString();
  return query === '' ? path : `${path}?${query}`;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** The first event of a stream; its data fits the endpoint's schema. */
async function expectEvent(url: string, operationId: string): Promise<void> {
  const gone = new AbortController();
  const response = await fetch(url, { signal: gone.signal });
  expect(response.status, url).to.equal(200);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const [, data] = /^data: (.*)\n/m.exec(text) ?? [];
    if (data === undefined) continue;
    endpoints[operationId as EndpointId].answer.parse(JSON.parse(data));
    break;
  }
  gone.abort();
}

/**
 * Sends every public GET and every example order of the served OpenAPI document, unchanged but for ids that the service
 * makes, to a service with the demo. Expects status 200 and a body that its schema accepts. Gives the operationIds that
 * were sent.
 */
export async function sendDocumentedExamples(service: ServiceFile): Promise<string[]> {
  const client = await createCheckedClient(service.baseUrl);
  const { paths } = await client.ok<Served>('GET', '/api/openapi');
  // Orders first: the list of a market's trades has one then.
  const place = paths['/api/orders']?.['post'];
  const orders = Object.values(place?.requestBody?.content['application/json']?.examples ?? {});
  // One example is a market order, which needs an offer of the house.
  const market = filledIn('/api/markets/{id}', paths['/api/markets/{id}']?.['get'] ?? expect.fail('no such operation'));
  await eventually('an offer', async () => (await client.ok<MarketBody>('GET', market)).bestYesAsk !== null);
  const madeIds = new Map([[endpoints.getTrader.path, service.demo?.accountId]]);
  for (const { value } of orders) {
    const order = await client.ok<OrderBody>('POST', '/api/orders', { key: service.demo?.apiKey ?? '', body: value });
    expect(order).to.include({ userId: service.demo?.accountId });
    madeIds.set(endpoints.getOrderSequences.path, order.id);
  }
  // Reads without a key are not fresh: they show these orders once a read with a key has waited for them.
  await client.ok('GET', '/api/portfolio', { key: service.demo?.apiKey ?? '' });
  const sent: string[] = [];
  for (const [template, { get }] of Object.entries(paths)) {
    // Public: no security requirement, or an empty one among the choices.
    if (get === undefined || (get.security.length > 0 && !get.security.some((needed) => isEmpty(needed)))) continue;
    const path = filledIn(template, get, madeIds.get(template));
    const isStream = get.responses['200']?.content?.['text/event-stream'] !== undefined;
    if (isStream) {
      await expectEvent(service.baseUrl + path, get.operationId);
    } else if (template === endpoints.getLeaderboard.path) {
      const shown = async (): Promise<number> => (await client.ok<unknown[]>('GET', path)).length;
      await eventually('the leaderboard, which is at most 2 s old, ranks them', async () => (await shown()) > 0);
    } else {
      expect(await client.ok<unknown>('GET', path), path).to.not.deep.equal([]);
    }
    sent.push(get.operationId);
  }
  return place === undefined || orders.length === 0 ? sent : [...sent, place.operationId];
}
