import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import { describeServices, startServices, startStandalone } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { expect } from 'chai';
import { startOtlpReceiver } from './otlp-receiver.ts';
import type { OtlpReceiver, ReceivedSpan } from './otlp-receiver.ts';

/** The way of an order, and the part before it that has to have begun. */
const WAY: Readonly<Record<string, string | null>> = {
  request: null,
  queue: 'request',
  decide: 'queue',
  append: 'decide',
  project: 'decide',
  publish: 'project',
  stream: 'decide',
};
const CLIENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
/** Between clocks of processes that are set by the wall clock, in ms. */
const CLOCKS_MS = 20;

const order = { marketId: 'm', side: 'buy', outcome: 'yes', orderType: 'limit', timeInForce: 'GTC', quantity: 1 };

interface Wiring {
  readonly start: (env: Readonly<Record<string, string>>) => Promise<RunningExchange>;
  /** The names of the services that send an order's spans. */
  readonly services: readonly string[];
}

function describeTraces(this: Mocha.Suite, { services, start }: Wiring): void {
  this.timeout(120_000);
  let receiver: OtlpReceiver;
  let exchange: RunningExchange;
  let client: CheckedClient;
  let key: string;

  before(async () => {
    receiver = await startOtlpReceiver();
    exchange = await start(receiver.env);
    client = await createCheckedClient(exchange.baseUrl);
    const desk = operatorClient(client, exchange.operatorToken);
    await desk.list('m');
    ({ key } = await desk.open('Ann'));
    await client.ok('GET', '/api/operator/markets', { key: exchange.operatorToken });
  });
  after(async () => {
    await exchange.stop();
    await receiver.close();
  });

  /** The correlation id of the order's event in the public journal. */
  const correlationOf = async (seq: number): Promise<string> => {
    const answer = await fetch(`${exchange.baseUrl}/api/journal?from=${seq}&limit=1`);
    const [, id = ''] = /\\?"correlationId\\?":\\?"([0-9a-f-]{36})/.exec(await answer.text()) ?? [];
    return id;
  };
  const traced = (traceId: string): readonly ReceivedSpan[] =>
    receiver.spans.filter((span) => span.traceId === traceId);
  const watch = async (path: string, headers: Record<string, string> = {}) => {
    const blocks = eventBlocks(await fetch(`${exchange.baseUrl}${path}`, { headers }));
    await blocks.next();
    return blocks;
  };

  it('follows an order from its POST to the streams, in one trace with the id of its correlation', async () => {
    const streams = [
      await watch('/api/stream/account', { authorization: `Bearer ${key}` }),
      await watch('/api/stream/orderbook/m'),
    ];
    const headers = { traceparent: `00-${CLIENT.traceId}-${CLIENT.spanId}-01` };
    const sent = await client.request('POST', '/api/orders', { key, headers, body: { ...order, price: 0.4 } });
    expect(sent.status).to.equal(200);
    const seq = Number(sent.headers.get('x-journal-seq'));
    let correlationId = '';
    await eventually('the journal is read', async () => (correlationId = await correlationOf(seq)) !== '');
    const traceId = correlationId.replaceAll('-', '');
    const names = (): Set<string> => new Set(traced(traceId).map(({ name }) => name));
    await eventually('all spans are sent', () => Object.keys(WAY).every((name) => names().has(name)));
    await eventually('both streams', () => traced(traceId).filter(({ name }) => name === 'stream').length === 2);
    for (const stream of streams) await stream.leave();

    const spans = traced(traceId);
    const [root, ...others] = spans.filter(({ name }) => name === 'request');
    expect(others).to.deep.equal([]);
    expect(root).to.deep.include({ parentSpanId: null, links: [CLIENT] });
    expect(root?.attributes).to.include({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/api/orders',
      'paper.correlation_id': correlationId,
    });
    for (const span of spans.filter(({ name }) => name !== 'request')) {
      expect(span.parentSpanId, span.name).to.equal(root?.spanId);
      expect(span.endMs, span.name).to.be.at.least(span.startMs);
      const before = spans.find(({ name }) => name === WAY[span.name]);
      expect(span.startMs - (before?.startMs ?? Infinity), span.name).to.be.at.least(-CLOCKS_MS);
    }
    expect(new Set(spans.map(({ service }) => service))).to.deep.equal(new Set(services));
    expect(spans.find(({ name }) => name === 'decide')?.attributes).to.include({
      'paper.command': 'PlaceOrder',
      'paper.outcome': 'accepted',
    });
  });

  it('shows where a refused order ended', async () => {
    const body = { ...order, marketId: 'absent', price: 0.4 };
    expect((await client.request('POST', '/api/orders', { key, body })).status).to.equal(400);
    const decided = (): ReceivedSpan | undefined =>
      receiver.spans.find((span) => span.attributes['paper.outcome'] === 'market_not_found');
    await eventually('the decision is sent', () => decided() !== undefined);
    const names = (): readonly string[] => traced(decided()?.traceId ?? '').map(({ name }) => name);
    await eventually('the request is sent', () => names().includes('request'));
    expect(names()).not.to.include.members(['project']);
  });

  it('gives each order of a batch its own trace', async () => {
    const body = { orders: [0.1, 0.2].map((price) => ({ ...order, price })) };
    await client.ok('POST', '/api/orders/batch', { key, body });
    const requests = (): readonly ReceivedSpan[] =>
      receiver.spans.filter(({ attributes }) => attributes['paper.batch.size'] === 2);
    await eventually('both are sent', () => requests().length === 2);
    expect(requests().map(({ attributes }) => attributes['paper.batch.index'])).to.deep.equal([0, 1]);
    for (const { traceId } of requests()) {
      await eventually('its decision is sent', () => traced(traceId).some(({ name }) => name === 'decide'));
    }
  });

  it('sends traces alone, and nothing of the command line', () => {
    expect([...receiver.paths]).to.deep.equal(['/v1/traces']);
    expect([...receiver.resourceAttributes]).to.include('service.version');
    expect([...receiver.resourceAttributes].filter((name) => name.startsWith('process.'))).to.deep.equal([]);
  });
}

describe('traces of the standalone', function () {
  describeTraces.call(this, { start: (env) => startStandalone({ env }), services: ['paper-standalone'] });
});

describeServices('traces of separate services', 'postgres', function () {
  if (isLongSuiteLeftOut()) return;
  describeTraces.call(this, {
    start: (env) => startServices({ journal: 'postgres', asRoles: true, env }),
    services: ['paper-command-api', 'paper-projector', 'paper-stream-gateway'],
  });
});
