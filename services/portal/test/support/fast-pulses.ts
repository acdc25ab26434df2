import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service with pulses of the test's own. */
export interface FastPulses {
  /** The port that browsers use. */
  readonly port: number;
  /** The number of pulses that were sent. */
  readonly sent: () => number;
  /** Sets where the service is. */
  readonly before: (baseUrl: string) => void;
  /** Sets the time from one pulse to the next. */
  readonly every: (ms: number) => void;
  readonly close: () => Promise<void>;
}

/**
 * Listens in front of a service and passes everything on, except the prices in the live connection: in their place each
 * pulse changes every market that was asked for. So a test plays an hour in a minute.
 */
export async function startFastPulses(): Promise<FastPulses> {
  let [baseUrl, everyMs, sent] = ['', 2_000, 0];
  const streams = new Set<{ readonly ids: readonly string[]; readonly response: ServerResponse }>();
  const server = createServer((asked, response) => {
    const url = new URL(asked.url ?? '/', 'http://localhost');
    const marketIds = url.searchParams.get('marketIds');
    if (url.pathname !== '/portal/live/stream' || marketIds === null) {
      passOn(baseUrl, asked, response);
      return;
    }
    const stream = { ids: marketIds.split(','), response };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
    response.write('event: began\ndata: {"topic":"pulse","seq":1}\n\n');
    response.write(pulse(stream.ids, sent));
    url.searchParams.delete('marketIds');
    if (url.search !== '') joinOthers(baseUrl, asked, `${url.pathname}${url.search}`, response);
    streams.add(stream);
    response.once('close', () => streams.delete(stream));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  let timer: NodeJS.Timeout;
  const tick = (): void => {
    sent += 1;
    for (const { ids, response } of streams) response.write(pulse(ids, sent));
    timer = setTimeout(tick, everyMs);
  };
  timer = setTimeout(tick, everyMs);
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    before: (url) => (baseUrl = url),
    every(ms) {
      everyMs = ms;
      clearTimeout(timer);
      timer = setTimeout(tick, everyMs);
    },
    async close() {
      clearTimeout(timer);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A whole picture in which every figure differs from that of the pulse before. */
function pulse(ids: readonly string[], n: number): string {
  const cents = 20 + (n % 60);
  const markets = ids.map((id) => ({
    id,
    probability: cents / 100,
    bestYesBid: (cents - 1) / 100,
    bestYesAsk: (cents + 1) / 100,
    lastTradePrice: cents / 100,
    volume: 1_000 + n,
    status: 'active',
    seq: 1_000_000 + n,
  }));
  return `event: pulse message\nid: ${1_000_000 + n}\ndata: ${JSON.stringify({ ts: new Date().toISOString(), markets })}\n\n`;
}

/** Sends the other streams of the live connection with the pulses. */
function joinOthers(baseUrl: string, { headers }: IncomingMessage, path: string, response: ServerResponse): void {
  const { hostname, port } = new URL(baseUrl);
  const others = request({ hostname, port, path, headers }, (answer) => answer.pipe(response));
  others.on('error', () => response.destroy());
  response.once('close', () => others.destroy());
  others.end();
}

function passOn(baseUrl: string, asked: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(baseUrl);
  const { method, url: path, headers } = asked;
  const passed = request({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  response.once('close', () => passed.destroy());
  asked.pipe(passed);
}
