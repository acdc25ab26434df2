import { Agent, request as sendRequest } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { ApiError } from '@paper/contracts';
import { createPipeline, limitAddress } from '@paper/http';
import type { Call, appSettings } from '@paper/http';

export const BACKTEST_PREFIX = '/backtest/';

/** A path below the base URL of a backtest: the random part, and the path for the backtest's process. */
const BELOW = /^\/backtest\/([\w-]{1,64})((?:[/?].*)?)$/s;

/** Headers of one connection, and those that identify the client, which participants must not see. */
const OF_A_CONNECTION =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|x-forwarded-.*|referer)$/i;

interface ProxyOptions extends ReturnType<typeof appSettings> {
  readonly socketOf: (token: string) => string | null;
}

/**
 * Forwards requests below the base URL of a backtest to its process. Only clients that guess base URLs are rate
 * limited. The random part of the path is a secret, so it is removed before the request is logged.
 */
export function createProxy({ socketOf, ...settings }: ProxyOptions): RequestListener {
  const tokens = new WeakMap<IncomingMessage, string>();
  // A process keeps idle connections longer than this agent.
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: 0 });
  const { listener } = createPipeline({ ...settings, metricsPrefix: 'backtests' });
  const serve = listener((call) => {
    call.pattern = '/backtest';
    const socketPath = socketOf(tokens.get(call.request) ?? '');
    if (socketPath === null) {
      limitAddress(call, 'reads', settings);
      throw new ApiError('backtest_not_found', 'No backtest runs at this address');
    }
    return pass(call, socketPath, agent);
  });
  return (request, response) => {
    const [, token, rest = BACKTEST_PREFIX] = BELOW.exec(request.url ?? '') ?? [];
    if (token !== undefined) tokens.set(request, token);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    serve(request, response);
  };
}

function pass(call: Call, socketPath: string, agent: Agent): Promise<void> {
  const { request, response } = call;
  return new Promise((resolve, reject) => {
    const { method, rawHeaders, url: path } = request;
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    const headers = [...passedOn(rawHeaders), ...(isChunked ? ['transfer-encoding', 'chunked'] : [])];
    const upstream = sendRequest({ agent, headers, method, path, setHost: false, socketPath });
    response.once('close', () => {
      upstream.destroy();
      resolve();
    });
    upstream.once('error', () => {
      if (response.headersSent) response.destroy();
      else reject(new ApiError('unavailable', 'The process of this backtest does not answer; look at its state'));
    });
    upstream.once('response', (answer) => {
      call.isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      response.writeHead(answer.statusCode ?? 502, [...passedOn(answer.rawHeaders), 'referrer-policy', 'no-referrer']);
      response.flushHeaders();
      answer.once('error', () => response.destroy());
      answer.pipe(response);
    });
    request.pipe(upstream);
  });
}

function passedOn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_text, index) => !OF_A_CONNECTION.test(rawHeaders[index - (index % 2)] ?? ''));
}
