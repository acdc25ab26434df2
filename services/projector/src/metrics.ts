import type { Lag } from '@paper/read-models';
import type { Metrics } from '@paper/runtime';
import type { ProjectorStatus } from './projector-status.ts';

interface Observed {
  readonly status: () => ProjectorStatus;
  readonly lag: () => Promise<Lag>;
}

/**
 * Registers the projector's metrics. Lags are read at each scrape; a standby reports none, and they keep their last
 * value while the journal cannot be read. Call the returned function with the number of events of each transaction.
 */
export function observeProjector(metrics: Metrics, service: Observed): (events: number) => void {
  const labels = ['projection'] as const;
  const gauge = (name: string, help: string, value: (status: ProjectorStatus) => number | Promise<number | null>) =>
    metrics.gauge(name, help, {
      labels,
      async collect(gauge) {
        const status = service.status();
        if (status.state === 'standby') {
          gauge.reset();
          return;
        }
        const now = await value(status);
        if (now !== null) gauge.set({ projection: status.name }, now);
      },
    });
  const lag = (of: (lag: Lag) => number) => () => service.lag().then(of, () => null);
  const behind = lag(({ lagEvents }) => lagEvents);
  const age = lag(({ lagMs }) => lagMs / 1000);
  gauge('paper_projection_lag_events', 'Events of the journal that are not projected yet', behind);
  gauge('paper_projection_lag_seconds', 'Age of the last projected event while there are later ones', age);
  gauge('paper_projection_seq', 'Sequence of the journal that is projected', ({ checkpoint }) => checkpoint.seq);
  gauge(
    'paper_projection_up',
    '1 while the projector runs or fills, 0 while it retries, failed or stopped',
    ({ state }) => (state === 'running' || state === 'filling' ? 1 : 0),
  );
  gauge('paper_projection_diverged', '1 while the journal is not the one that was projected: rebuild', ({ state }) =>
    state === 'diverged' ? 1 : 0,
  );
  const events = metrics.counter('paper_projection_events_total', 'Events projected', labels);
  const batch = metrics.histogram(
    'paper_projection_batch_events',
    'Events of a transaction',
    labels,
    [1, 10, 100, 1000, 5000],
  );
  return (count) => {
    events.inc({ projection: 'main' }, count);
    batch.observe({ projection: 'main' }, count);
  };
}
