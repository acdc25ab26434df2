/** The spans of a command's trace, in the order in which the command passes the stages. */
type SpanName = 'request' | 'queue' | 'decide' | 'append' | 'project' | 'publish' | 'stream';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A finished stage of handling a command. Times are of the monotonic clock (`performance.now()`), in ms. */
export interface EndedSpan {
  readonly name: SpanName;
  /** The command's correlation id, a UUID: its 16 bytes are the id of the trace. */
  readonly correlationId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** The span has no parent: no request sent the command. */
  readonly isRoot?: boolean;
  /** The stage failed for a reason on our side, not the caller's. */
  readonly failed?: boolean;
  /** The client's `traceparent` header, whose span becomes a link. */
  readonly traceparent?: string | undefined;
}

export interface Tracing {
  record(span: EndedSpan): void;
  /** Whether spans of this command are sent: those of the last minute, so that an old journal read again sends none. */
  follows(correlationId: string): boolean;
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** The name of the service if the environment names none. */
  readonly serviceName: string;
  readonly version: string;
  /** Called with each problem of the exporter, such as a collector that does not answer. */
  readonly onProblem: (message: string) => void;
}

/** The trace of a command: the 16 bytes of its correlation id, as 32 hex digits. */
export function traceIdOf(correlationId: string): string {
  return correlationId.replaceAll('-', '').toLowerCase();
}

/** The id of the first span of a trace, which every process derives from the random part of a version 7 UUID. */
export function rootSpanIdOf(traceId: string): string {
  return traceId.slice(16);
}
