import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metric } from 'prom-client';

export interface MetricValue {
  /** The suffix of the line's name, for a part of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface Metrics {
  readonly counter: <L extends string>(name: string, help: string, labels?: readonly L[]) => Counter<L>;
  /** With `collect`, the gauge is set at each scrape. */
  readonly gauge: <L extends string>(
    name: string,
    help: string,
    options?: { readonly labels?: readonly L[]; readonly collect?: (gauge: Gauge<L>) => void | Promise<void> },
  ) => Gauge<L>;
  /** Buckets default to seconds from 0.5 ms to 10 s. */
  readonly histogram: <L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ) => Histogram<L>;
  readonly computed: {
    readonly counter: (name: string, help: string, values: () => readonly MetricValue[]) => void;
    readonly histogram: (name: string, help: string, values: () => readonly MetricValue[]) => void;
  };
  readonly expose: () => Promise<{ readonly text: string; readonly contentType: string }>;
}

export const SECONDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export function createMetrics(processMetrics = false): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const computed =
    (type: 'counter' | 'histogram') =>
    (name: string, help: string, values: () => readonly MetricValue[]): void => {
      const get = (): Promise<object> => {
        const lines = values().map(({ suffix = '', ...line }) => ({ ...line, metricName: name + suffix }));
        return Promise.resolve({ name, help, type, aggregator: 'sum', values: lines });
      };
      // The registry uses only these fields of a metric.
      registry.registerMetric({ name, help, get } as unknown as Metric);
    };
  if (processMetrics) collectDefaultMetrics({ register: registry });
  return {
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames, registers }),
    gauge(name, help, { labels = [], collect } = {}) {
      if (collect === undefined) return new Gauge({ name, help, labelNames: labels, registers });
      return new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        collect() {
          return collect(this);
        },
      });
    },
    histogram: (name, help, labelNames = [], buckets = SECONDS) =>
      new Histogram({ name, help, labelNames, buckets: [...buckets], registers }),
    computed: { counter: computed('counter'), histogram: computed('histogram') },
    expose: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
