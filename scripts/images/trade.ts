import { eventually } from '@paper/testkit';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';

export type Traded = Awaited<ReturnType<typeof tradeOnce>>;

/**
 * Trades in a new market, and retries: a front door that has just started sends commands to a standby until its first
 * checks, and a lost leader answers late, or with 503. @throws Error when no order is filled within two minutes
 */
export async function tradeThrough(baseUrl: string, operatorToken: string, name = 'images'): Promise<Traded> {
  const done: Traded[] = [];
  let refusal: unknown = null;
  let nth = 0;
  const isTraded = async (): Promise<boolean> => {
    nth += 1;
    const traded = await tradeOnce(baseUrl, operatorToken, `${name}-${nth}`).catch((error: unknown) => {
      refusal = error;
      return null;
    });
    if (traded !== null) done.push(traded);
    return traded !== null;
  };
  const limit = { withinMs: 120_000, everyMs: 50 };
  await eventually('an order is filled', isTraded, limit).catch((error: unknown) => {
    throw new Error(String(error), { cause: refusal });
  });
  const [traded] = done;
  if (traded === undefined) throw new Error('an order was filled without an outcome');
  return traded;
}

/** Trades between two new accounts, and calls every other service. @throws Error when an answer is wrong */
async function tradeOnce(baseUrl: string, operatorToken: string, marketId: string) {
  const client = await createCheckedClient(baseUrl);
  const operator = operatorClient(client, operatorToken);
  await operator.list(marketId);
  const [maker, taker] = [await operator.open('Maker'), await operator.open('Taker')];
  const bid = { marketId, outcome: 'yes', price: 0.4, quantity: 5 };
  await client.ok('POST', '/api/orders', { key: maker.key, body: bid });
  const begunMs = performance.now();
  const order = await client.ok<{ readonly status: string }>('POST', '/api/orders', {
    key: taker.key,
    body: { ...bid, outcome: 'no', price: 0.6 },
  });
  const orderMs = performance.now() - begunMs;
  if (order.status !== 'filled') throw new Error(`the order was not filled: ${JSON.stringify(order)}`);
  const positions = await client.ok<{ readonly summary: object }>('GET', '/api/portfolio', { key: maker.key });
  if (!JSON.stringify(positions).includes(marketId)) throw new Error('the portfolio does not show the trade');
  await expectText(`${baseUrl}/`, {}, '<html');
  await expectText(`${baseUrl}/api/stream?marketId=${marketId}`, {}, 'data:');
  await expectText(`${baseUrl}/mcp`, toolsList(taker.key), 'search_markets');
  await expectText(`${baseUrl}/api/backtests`, { headers: { 'x-api-key': taker.key } }, '"backtests"');
  return { orderMs, answered: ['command-api', 'query-api', 'portal', 'stream-gateway', 'mcp', 'backtests'] };
}

function toolsList(key: string): RequestInit {
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  };
}

/** Reads the answer, which may be a stream without an end, until the text has arrived. */
async function expectText(url: string, request: RequestInit, text: string): Promise<void> {
  const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  let read = '';
  for await (const chunk of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    read += chunk;
    if (read.includes(text)) return;
  }
  throw new Error(`${url} does not have ${text}: ${read.slice(0, 300)}`);
}
