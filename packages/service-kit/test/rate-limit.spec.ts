import { expect } from 'chai';
import { addressSubject, createRateLimiter, rateLimitHeaders } from '../src/rate-limit.ts';
import { bearer, OPERATOR_TOKEN, type SampleApp, startSampleApp } from './sample-app.ts';

describe('the rate limiter', () => {
  it('allows a burst of twice the rate, then the rate, and gives a refused request no price', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ now: () => nowMs });
    const run = (requests: number): number =>
      Array.from({ length: requests }, () => limiter.consume('commands', 'key:1')).filter((one) => one.allowed).length;
    expect(run(1_000)).to.equal(200);
    nowMs += 9;
    expect(run(10)).to.equal(0);
    nowMs += 1;
    expect(run(10)).to.equal(1);
    nowMs += 1_000;
    expect(run(1_000)).to.equal(100);
    nowMs += 5_000;
    expect(run(1_000)).to.equal(200);
    nowMs += 3_600_000;
    expect(run(1_000)).to.equal(200);
  });

  it('keeps subjects and buckets apart', () => {
    const limiter = createRateLimiter({ commandsPerSecond: 1, readsPerSecond: 1, now: () => 0 });
    const allowed = (bucket: 'commands' | 'reads', subject: string) => limiter.consume(bucket, subject).allowed;
    expect([allowed('commands', 'a'), allowed('commands', 'a'), allowed('commands', 'a')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect([allowed('commands', 'b'), allowed('reads', 'a')]).to.deep.equal([true, true]);
  });

  it('never allows more than burst + rate × time, whatever the pattern', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ readsPerSecond: 200, now: () => nowMs });
    let allowed = 0;
    for (let step = 0; step < 5_000; step++) {
      nowMs += step % 7;
      if (limiter.consume('reads', 'x').allowed) allowed++;
      expect(allowed).to.be.at.most(400 + nowMs / 5);
    }
    expect(allowed).to.be.at.least(Math.min(4_999, 400 + Math.floor(nowMs / 5) - 1));
  });

  it('tells quota, remaining and seconds', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ commandsPerSecond: 2, now: () => nowMs });
    expect(rateLimitHeaders(limiter.consume('commands', 'a'))).to.deep.equal([
      ...['ratelimit-policy', '"commands";q=4;w=2'],
      ...['ratelimit', '"commands";r=3;t=1'],
    ]);
    for (let i = 0; i < 3; i++) limiter.consume('commands', 'a');
    const refused = limiter.consume('commands', 'a');
    expect(refused).to.include({ allowed: false, remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 });
    nowMs += 60_000;
    expect(limiter.consume('commands', 'b').remaining).to.equal(3);
  });

  it('forgets who has been away for as long as it takes to be full again, and nobody before', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ readsPerSecond: 1, now: () => nowMs });
    for (let n = 0; n < 10; n += 1) limiter.consume('reads', `once ${n}`);
    const told: number[] = [];
    for (; nowMs <= 4_000; nowMs += 500) told.push(limiter.consume('reads', 'steady').remaining);
    // A burst of 2, then one each second: a generation that ends gives nobody a new burst.
    expect(told).to.deep.equal([1, 0, 0, 0, 0, 0, 0, 0, 0]);
    // The one that is there may be in both generations.
    expect(limiter.subjects).to.be.at.most(2);
  });

  it('remembers a bounded number of addresses, whoever comes', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ now: () => nowMs });
    for (let n = 0; n < 400_000; n += 1) {
      nowMs += 0.001;
      if (!limiter.consume('reads', `address:${n}`).allowed) expect.fail('a first request was refused');
    }
    expect(limiter.subjects).to.be.at.most(200_000);
    nowMs += 2_000;
    limiter.consume('reads', 'a');
    nowMs += 2_000;
    limiter.consume('reads', 'a');
    expect(limiter.subjects).to.equal(2);
  }).timeout(120_000);

  it('counts an IPv6 client by its /64', () => {
    expect(addressSubject('::ffff:10.0.0.1')).to.equal('address:10.0.0.1');
    expect(addressSubject('2001:db8:0:1:aaaa::1')).to.equal(addressSubject('2001:0db8::1:0:0:0:2'));
    expect(addressSubject('2001:db8:0:2::1')).not.to.equal(addressSubject('2001:db8:0:1::1'));
    expect(addressSubject('::1')).to.equal('address:0:0:0:0');
    expect(addressSubject(undefined)).to.equal('address:unknown');
  });
});

describe('rate limits over HTTP', () => {
  let app: SampleApp;
  beforeEach(async () => {
    const rateLimiter = createRateLimiter({
      commandsPerSecond: 1,
      readsPerSecond: 1,
      operatorCallsPerSecond: 2,
      now: () => 0,
    });
    app = await startSampleApp({ rateLimiter, trustedProxies: ['loopback'] });
  });
  afterEach(() => app.close(0));

  const statuses = async (count: number, path: string, init: RequestInit = {}): Promise<number[]> => {
    const answers: number[] = [];
    for (let i = 0; i < count; i++) answers.push((await fetch(app.url + path, init)).status);
    return answers;
  };

  it('refuses with 429, the documented body and Retry-After', async () => {
    await statuses(2, '/api/mine', { headers: bearer('trader') });
    const answer = await fetch(`${app.url}/api/mine`, { headers: bearer('trader') });
    expect(answer.status).to.equal(429);
    expect(await answer.json()).to.deep.equal({ error: 'Too many reads: try again in 1 s', code: 'rate_limited' });
    expect(Object.fromEntries(answer.headers)).to.include({
      'retry-after': '1',
      ratelimit: '"reads";r=0;t=2',
      'ratelimit-policy': '"reads";q=2;w=2',
    });
  });

  it('counts each key for itself, reads apart from commands, on public routes too', async () => {
    expect(await statuses(3, '/api/things/1', { headers: bearer('trader') })).to.deep.equal([200, 200, 429]);
    expect(await statuses(1, '/api/mine', { headers: bearer('trader') })).to.deep.equal([429]);
    expect(await statuses(1, '/api/mine', { headers: bearer('viewer') })).to.deep.equal([200]);
    expect(await statuses(1, '/api/things/1', { method: 'DELETE', headers: bearer('trader') })).to.deep.equal([200]);
  });

  it('counts by address who has no key, or a bad one, or no route', async () => {
    expect(await statuses(1, '/api/things/1')).to.deep.equal([200]);
    expect(await statuses(1, '/api/mine', { headers: { 'x-api-key': 'guess' } })).to.deep.equal([401]);
    expect(await statuses(1, '/api/mine', { headers: { 'x-api-key': 'guess 2' } })).to.deep.equal([429]);
    expect(await statuses(1, '/api/nothing')).to.deep.equal([429]);
    const elsewhere = { 'x-forwarded-for': '10.1.2.3' };
    expect(await statuses(3, '/api/things/1', { headers: elsewhere })).to.deep.equal([200, 200, 429]);
  });

  it('counts a path that cannot be read', async () => {
    expect(await statuses(3, '/api/things/%E0')).to.deep.equal([400, 400, 429]);
  });

  it('gives operators a rate of their own', async () => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: '{"commands":[]}',
    };
    expect(await statuses(5, '/api/operator/batch', init)).to.deep.equal([200, 200, 200, 200, 429]);
  });

  it('believes X-Forwarded-For from trusted proxies only', async () => {
    const plain = await startSampleApp({ rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }) });
    const answers: number[] = [];
    for (let i = 0; i < 3; i++) {
      const headers = { 'x-forwarded-for': `10.0.0.${i}` };
      answers.push((await fetch(`${plain.url}/api/things/1`, { headers })).status);
    }
    await plain.close(0);
    expect(answers).to.deep.equal([200, 200, 429]);
  });
});
