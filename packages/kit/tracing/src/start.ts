import type { Tracing, TracingOptions } from './tracing.ts';

const TURN_ON = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'] as const;

/** Starts tracing if the variables of OpenTelemetry ask for it; else returns null and loads none of its code. */
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
