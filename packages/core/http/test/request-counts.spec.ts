import { expect } from 'chai';
import { createMetrics } from '@paper/runtime';
import { RequestCounts } from '../src/request-counts.ts';

describe('the counts of requests', () => {
  it('are lines of a counter and of a histogram, with cumulative buckets', async () => {
    const metrics = createMetrics();
    const counts = new RequestCounts(metrics, 'http');
    counts.add('/api/a', 'GET', 200, 0.0004);
    counts.add('/api/a', 'GET', 200, 0.3);
    counts.add('/api/a', 'GET', 200, 60);
    counts.add('/api/a', 'POST', 429, 0.002);

    const { text } = await metrics.expose();

    const labels = 'route="/api/a",method="GET",status="200"';
    const lines = text.split('\n').filter((line) => line.includes(labels));
    expect(lines).to.include(`http_requests_total{${labels}} 3`);
    expect(lines).to.include(`http_request_duration_seconds_bucket{le="0.0005",${labels}} 1`);
    expect(lines).to.include(`http_request_duration_seconds_bucket{le="0.25",${labels}} 1`);
    expect(lines).to.include(`http_request_duration_seconds_bucket{le="0.5",${labels}} 2`);
    expect(lines).to.include(`http_request_duration_seconds_bucket{le="10",${labels}} 2`);
    expect(lines).to.include(`http_request_duration_seconds_bucket{le="+Inf",${labels}} 3`);
    expect(lines).to.include(`http_request_duration_seconds_sum{${labels}} 60.3004`);
    expect(lines).to.include(`http_request_duration_seconds_count{${labels}} 3`);
    expect(text).to.include('# TYPE http_requests_total counter');
    expect(text).to.include('# TYPE http_request_duration_seconds histogram');
    expect(text).to.include('http_requests_total{route="/api/a",method="POST",status="429"} 1');
  });

  it('count a request without a duration, and do not time it', async () => {
    const metrics = createMetrics();
    new RequestCounts(metrics, 'http').add('/api/watch', 'GET', 200, null);

    const { text } = await metrics.expose();

    expect(text).to.include('http_requests_total{route="/api/watch",method="GET",status="200"} 1');
    expect(text).not.to.include('http_request_duration_seconds_count{');
  });
});
