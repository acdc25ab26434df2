import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

type Value = { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number };

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A span as a collector gets it. Times in ms since 1970 UTC. */
export interface ReceivedSpan extends Pick<SentSpan, 'name' | 'traceId' | 'spanId'> {
  readonly service: string;
  readonly parentSpanId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A collector of traces: OTLP over HTTP, as JSON. */
export interface OtlpReceiver {
  /** The environment of a service that sends its traces here, soon after each span. */
  readonly env: Readonly<Record<string, string>>;
  readonly spans: readonly ReceivedSpan[];
  /** The names of all attributes of the services themselves. */
  readonly resourceAttributes: ReadonlySet<string>;
  /** The paths that were called. */
  readonly paths: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Starts a collector on a free port. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const resourceAttributes = new Set<string>();
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    paths.add(request.url ?? '');
    void buffer(request).then((bytes) => {
      const isZipped = request.headers['content-encoding'] === 'gzip';
      const body = JSON.parse((isZipped ? gunzipSync(bytes) : bytes).toString()) as Export;
      for (const { resource, scopeSpans } of body.resourceSpans) {
        const about = valuesOf(resource.attributes);
        for (const name of Object.keys(about)) resourceAttributes.add(name);
        const service = String(about['service.name']);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => received(service, span))));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    spans,
    resourceAttributes,
    paths,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function received(service: string, span: SentSpan): ReceivedSpan {
  const { attributes, endTimeUnixNano, links = [], name, parentSpanId = '', spanId, startTimeUnixNano, traceId } = span;
  return {
    service,
    name,
    traceId,
    spanId,
    parentSpanId: parentSpanId === '' ? null : parentSpanId,
    startMs: Number(startTimeUnixNano) / 1e6,
    endMs: Number(endTimeUnixNano) / 1e6,
    attributes: valuesOf(attributes),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
  };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue ?? Number.NaN),
    ]),
  );
}
