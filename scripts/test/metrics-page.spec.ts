import path from 'node:path';
import { expect } from 'chai';
import { declaredMetrics } from '../docs/declared-metrics.ts';
import { NORMAL_VALUES } from '../docs/metrics.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('the page of metrics', () => {
  const declared = declaredMetrics(root);

  it('says what is normal of every metric that the code declares, and of no other', () => {
    expect(Object.keys(NORMAL_VALUES).sort()).to.deep.equal(declared.map(({ name }) => name).sort());
  });

  it('finds declarations in each of their forms', () => {
    const kinds = Object.fromEntries(declared.map(({ kind, name }) => [name, kind]));
    expect(kinds).to.include({
      commands_total: 'counter',
      http_request_duration_seconds: 'histogram',
      paper_projection_lag_events: 'gauge',
      paper_read_models_diverged: 'gauge',
      portal_requests_total: 'counter',
    });
  });
});
