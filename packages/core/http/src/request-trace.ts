import { collectCommands } from '@paper/tracing';
import type { Tracing } from '@paper/tracing';
import type { Call } from './call.ts';

/** Runs a request's handler, and records the request as the first span of the trace of each command that it made. */
export function traceRequest<T>(tracing: Tracing, call: Call, handle: () => T): T {
  const commands: string[] = [];
  const { request, response } = call;
  response.once('close', () => {
    const endMs = performance.now();
    const { statusCode } = response;
    for (const [index, correlationId] of commands.entries()) {
      tracing.record({
        name: 'request',
        correlationId,
        startMs: call.startedMs,
        endMs,
        attributes: {
          'http.request.method': request.method ?? 'GET',
          'http.response.status_code': statusCode,
          'http.route': call.pattern,
          'paper.request_id': call.requestId,
          ...(commands.length > 1 ? { 'paper.batch.index': index, 'paper.batch.size': commands.length } : {}),
        },
        failed: statusCode >= 500,
        traceparent: singleHeader(request.headers['traceparent']),
      });
    }
  });
  return collectCommands(commands, handle);
}

function singleHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
