import { setTimeout } from 'node:timers/promises';
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Link, Tracer } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { defaultResource, envDetector, hostDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { RandomIdGenerator, SamplingDecision } from '@opentelemetry/sdk-trace';
import type { IdGenerator, Sampler } from '@opentelemetry/sdk-trace';
import { samplerOf } from './sampler.ts';
import { rootSpanIdOf, traceIdOf } from './tracing.ts';
import type { EndedSpan, Tracing, TracingOptions } from './tracing.ts';

const RECENT_MS = 60_000;
/** The difference from the wall clock at which the monotonic clock's origin is set anew. */
const DRIFT_MS = 5;
const STOP_MS = 1_000;

/** Records spans with OpenTelemetry's SDK, which reads its settings from the environment of the process. */
export class OpenTelemetry implements Tracing {
  readonly #sdk: NodeSDK;
  readonly #ids = new ChosenIds();
  readonly #sampler: Sampler;
  readonly #tracer: Tracer;
  #originMs = performance.timeOrigin;

  constructor(env: NodeJS.ProcessEnv, { onProblem, serviceName, version }: TracingOptions) {
    this.#sampler = samplerOf(env);
    const about = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version });
    this.#sdk = new NodeSDK({
      idGenerator: this.#ids,
      sampler: this.#sampler,
      resource: defaultResource().merge(about),
      // The process detector is left out, since arguments may hold a password.
      resourceDetectors: [envDetector, hostDetector],
      textMapPropagator: null,
      // Metrics go to Prometheus, and logs to standard error.
      metricReaders: [],
      logRecordProcessors: [],
    });
    this.#sdk.start();
    const warn = (message: string): void => onProblem(message);
    const ignore = (): void => undefined;
    if ((env['OTEL_LOG_LEVEL'] ?? '') === '') {
      const logger = { debug: ignore, error: warn, info: ignore, verbose: ignore, warn };
      diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    }
    this.#tracer = trace.getTracer('paper', version);
  }

  record(span: EndedSpan): void {
    const traceId = traceIdOf(span.correlationId);
    // The check comes before the SDK's own, so that unsampled traces cost little.
    if (!this.#isSampled(traceId)) return;
    const originMs = this.#origin();
    const rootSpanId = rootSpanIdOf(traceId);
    const isRoot = span.name === 'request' || span.isRoot === true;
    this.#ids.next = isRoot ? { traceId, spanId: rootSpanId } : null;
    const parent = { traceId, spanId: rootSpanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    const started = this.#tracer.startSpan(
      span.name,
      {
        attributes: { 'paper.correlation_id': span.correlationId, ...span.attributes },
        kind: span.name === 'request' ? SpanKind.SERVER : SpanKind.INTERNAL,
        links: linksTo(span.traceparent),
        startTime: originMs + span.startMs,
      },
      isRoot ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    this.#ids.next = null;
    if (span.failed === true) started.setStatus({ code: SpanStatusCode.ERROR });
    started.end(originMs + span.endMs);
  }

  follows(correlationId: string): boolean {
    const traceId = traceIdOf(correlationId);
    // The first 48 bits of a version 7 UUID are its time in ms.
    return Date.now() - Number.parseInt(traceId.slice(0, 12), 16) <= RECENT_MS && this.#isSampled(traceId);
  }

  #isSampled(traceId: string): boolean {
    const { decision } = this.#sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, []);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  }

  async stop(): Promise<void> {
    // An unreachable collector must not delay the stop; the SDK would wait for it for ten seconds and more.
    const sent = this.#sdk.shutdown().catch(() => undefined);
    await Promise.race([sent, setTimeout(STOP_MS, undefined, { ref: false })]);
    trace.disable();
    diag.disable();
  }

  /** The wall clock's time at the zero of the monotonic clock, constant for a while, so that spans fit each other. */
  #origin(): number {
    const beforeMs = performance.now();
    const now = Date.now();
    const afterMs = performance.now();
    // If the process waited for a CPU between two readings, they prove nothing.
    const isExact = afterMs - beforeMs < 1;
    if (isExact && Math.abs(this.#originMs + afterMs - now) > DRIFT_MS) this.#originMs = now - afterMs;
    return this.#originMs;
  }
}

class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: { readonly traceId: string; readonly spanId: string } | null = null;

  readonly generateTraceId = (): string => this.next?.traceId ?? this.#random.generateTraceId();
  readonly generateSpanId = (): string => this.next?.spanId ?? this.#random.generateSpanId();
}

/** A client's trace has its own sampling and its own owner, so it becomes a link, never the parent. */
function linksTo(traceparent: string | undefined): Link[] {
  const client = traceparent === undefined ? null : parseTraceParent(traceparent);
  return client === null ? [] : [{ context: { ...client, isRemote: true } }];
}
