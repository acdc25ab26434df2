import { AlwaysOffSampler, AlwaysOnSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
];

/**
 * The sampler that OTEL_TRACES_SAMPLER names. It decides by the trace's id alone, so every process decides the same.
 * Traces have no parents here, so a `parentbased_` sampler acts as its sampler for roots.
 */
export function samplerOf(env: NodeJS.ProcessEnv): Sampler {
  const name = env['OTEL_TRACES_SAMPLER']?.trim() || 'parentbased_always_on';
  if (!SAMPLERS.includes(name)) {
    throw new Error(`OTEL_TRACES_SAMPLER: ${name} does not exist; it must be one of ${SAMPLERS.join(', ')}`);
  }
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  const given = env['OTEL_TRACES_SAMPLER_ARG']?.trim() || '1';
  const ratio = Number(given);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new Error(`OTEL_TRACES_SAMPLER_ARG: ${given} is no ratio; it must be a number from 0 to 1`);
  }
  return new TraceIdRatioBasedSampler(ratio);
}
