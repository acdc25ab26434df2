import { createMetrics } from '@paper/runtime';
import { expect } from 'chai';
import { countPulseFailures } from '../src/pulse-failures.ts';

describe('the count of lost pulses', () => {
  it('rises with each that Redis does not take, and passes its error on', async () => {
    let isAway = false;
    const metrics = createMetrics();
    const channel = countPulseFailures(
      {
        publish: () => (isAway ? Promise.reject(new Error('Redis is away')) : Promise.resolve()),
        subscribe: () => () => undefined,
        close: () => Promise.resolve(),
      },
      metrics,
    );
    const message = { seq: 1, pulse: { topMarkets: [], recentTrades: [] } } as never;
    await channel.publish(message);
    expect((await metrics.expose()).text).to.match(/^pulse_publish_failures_total 0$/m);
    isAway = true;
    const failure = await channel.publish(message).then(String, String);
    expect(failure).to.equal('Error: Redis is away');
    expect((await metrics.expose()).text).to.match(/^pulse_publish_failures_total 1$/m);
  });
});
