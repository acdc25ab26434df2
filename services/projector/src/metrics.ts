import type { Lag } from '@paper/read-models';
import type { Metrics } from '@paper/service-kit';
import type { ProjectorStatus } from './projector-status.ts';

interface Observed {
  readonly status: () => ProjectorStatus;
  readonly lag: () => Promise<Lag>;
}

/**
 * Registers the projector's metrics. Lags are read at each scrape; while the journal cannot be read they keep their
 * last value. A standby reports no lag. Returns the function to call with the number of events of each transaction.
 */
export function observeProjector(metrics: Metrics, service: Observed): (events: number) => void {
  const labels = ['projection'] as const;
  const standsBy = (gauge: { reset(): void }): boolean => {
    if (service.status().state !== 'standby') return false;
    gauge.reset();
    return true;
  };
  metrics.gauge('paper_projection_lag_events', 'Events of the journal that are not projected yet', {
    labels,
    async collect(gauge) {
      if (standsBy(gauge)) return;
      const lag = await service.lag().catch(() => null);
      if (lag !== null) gauge.set({ projection: lag.name }, lag.lagEvents);
    },
  });
  metrics.gauge('paper_projection_lag_seconds', 'Age of the last projected event while there are later ones', {
    labels,
    async collect(gauge) {
      if (standsBy(gauge)) return;
      const lag = await service.lag().catch(() => null);
      if (lag !== null) gauge.set({ projection: lag.name }, lag.lagMs / 1000);
    },
  });
  metrics.gauge('paper_projection_seq', 'Sequence of the journal that is projected', {
    labels,
    collect(gauge) {
      if (standsBy(gauge)) return;
      const { name, checkpoint } = service.status();
      gauge.set({ projection: name }, checkpoint.seq);
    },
  });
  metrics.gauge('paper_projection_up', '1 while the projector runs, 0 while it retries, failed or stopped', {
    labels,
    collect(gauge) {
      if (standsBy(gauge)) return;
      const { name, state } = service.status();
      gauge.set({ projection: name }, state === 'running' ? 1 : 0);
    },
  });
  metrics.gauge('paper_projection_diverged', '1 while the journal is not the one that was projected: rebuild', {
    labels,
    collect(gauge) {
      if (standsBy(gauge)) return;
      const { name, state } = service.status();
      gauge.set({ projection: name }, state === 'diverged' ? 1 : 0);
    },
  });
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
