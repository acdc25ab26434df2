import type { Tracing, TracingOptions } from './tracing.ts';

const TURN_ON = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'] as const;

/** Starts the traces that OpenTelemetry's variables ask for; null if none, and then nothing of it is loaded. */
export async function startTracing(env: NodeJS.ProcessEnv, options: TracingOptions): Promise<Tracing | null> {
  if (!asksForTraces(env)) return null;
  const { OpenTelemetry } = await import('./open-telemetry.ts');
  return new OpenTelemetry(env, options);
}

function asksForTraces(env: NodeJS.ProcessEnv): boolean {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  if (env['OTEL_TRACES_EXPORTER']?.trim() === 'none') return false;
  return TURN_ON.some((name) => (env[name] ?? '').trim() !== '');
}
