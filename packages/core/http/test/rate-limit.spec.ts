import { sendBytes } from '@paper/testkit/http';
import { expect } from 'chai';
import fc from 'fast-check';
import { addressSubject, createRateLimiter, rateLimitHeaders } from '../src/rate-limit.ts';
import { relayHeaders } from '../src/relay.ts';
import { bearer, OPERATOR_TOKEN, startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

describe('the rate limiter', () => {
  it('allows a burst of twice the rate, then the rate, and gives a refused request no price', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ now: () => nowMs });
    const run = (requests: number): number =>
      Array.from({ length: requests }, () => limiter.consume({ bucket: 'commands', subject: 'key:1' })).filter(
        (one) => one.allowed,
      ).length;
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
    const allowed = (bucket: 'commands' | 'reads', subject: string) => limiter.consume({ bucket, subject }).allowed;
    expect([allowed('commands', 'a'), allowed('commands', 'a'), allowed('commands', 'a')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect([allowed('commands', 'b'), allowed('reads', 'a')]).to.deep.equal([true, true]);
  });

  it('never allows a key or a fleet more than burst + rate × time in any window, whatever is asked and when', () => {
    const asked = fc.record({
      afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3_000 })),
      bucket: fc.constantFrom('commands' as const, 'reads' as const),
      key: fc.constantFrom('f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'g1'),
      cost: fc.integer({ min: 1, max: 50 }),
      times: fc.integer({ min: 1, max: 60 }),
    });
    const settings = fc.record({
      commandsPerSecond: fc.constantFrom(1, 3, 100),
      readsPerSecond: fc.constantFrom(1, 3, 200),
      readProcesses: fc.integer({ min: 1, max: 7 }),
    });
    fc.assert(
      fc.property(settings, fc.array(asked, { minLength: 1, maxLength: 60 }), (limits, requests) => {
        let nowMs = 0;
        const limiter = createRateLimiter({ ...limits, now: () => nowMs });
        /** The units allowed to each subject, with their times. */
        const allowed = new Map<string, { readonly atMs: number; readonly units: number }[]>();
        for (const { afterMs, bucket, key, cost, times } of requests) {
          nowMs += afterMs;
          const rate = bucket === 'commands' ? limits.commandsPerSecond : limits.readsPerSecond;
          const charge = Math.min(cost, Math.max(1, Math.floor((2 * rate) / 8)));
          const fleet = key.slice(0, 1);
          for (let time = 0; time < times; time += 1) {
            if (!limiter.consume({ bucket, subject: key, fleet, cost }).allowed) continue;
            for (const subject of [`${bucket} of ${key}`, `${bucket} of ${fleet}`]) {
              allowed.set(subject, [...(allowed.get(subject) ?? []), { atMs: nowMs, units: charge }]);
            }
          }
        }
        for (const [subject, counted] of allowed) {
          const isFleet = subject.endsWith('f') || subject.endsWith('g');
          const ofKey = subject.startsWith('commands') ? limits.commandsPerSecond : limits.readsPerSecond;
          const share = subject.startsWith('commands') ? 5 : Math.max(1, 5 / limits.readProcesses);
          const rate = isFleet ? share * ofKey : ofKey;
          for (const [first, { atMs }] of counted.entries()) {
            let units = 0;
            for (const one of counted.slice(first)) {
              units += one.units;
              expect(units, subject).to.be.at.most(2 * rate + (rate * (one.atMs - atMs)) / 1_000 + 1e-6);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  }).timeout(120_000);

  it('gives a fleet five times the rate of a key, however many keys it has: not 51 × 20 times', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ now: () => nowMs });
    const allowed = (bucket: 'commands' | 'reads', fleet: string): number => {
      let count = 0;
      for (let key = 0; key < 1_020; key += 1) {
        for (let n = 0; n < 3; n += 1) {
          if (limiter.consume({ bucket, subject: `${fleet} key ${key}`, fleet }).allowed) count += 1;
        }
      }
      return count;
    };
    expect([allowed('commands', 'one'), allowed('reads', 'one')]).to.deep.equal([1_000, 2_000]);
    nowMs += 1_000;
    expect([allowed('commands', 'one'), allowed('reads', 'one')]).to.deep.equal([500, 1_000]);
    expect(allowed('commands', 'other')).to.equal(1_000);
    const refused = limiter.consume({ bucket: 'commands', subject: 'one key 7', fleet: 'one' });
    expect(refused).to.include({ allowed: false, policy: 'fleet-commands', remaining: 0, retryAfterSeconds: 1 });
  });

  it('allows a fleet its part of five where several processes answer reads, and never less than one key has', () => {
    for (const [readProcesses, quota] of [
      [1, 2_000],
      [2, 1_000],
      [3, 666],
      [5, 400],
      [32, 400],
    ] as const) {
      const limiter = createRateLimiter({ readProcesses, now: () => 0 });
      let units = 0;
      for (let key = 0; key < 9; key += 1) {
        while (limiter.consume({ bucket: 'reads', subject: `key ${key}`, fleet: 'f' }).allowed) units += 1;
      }
      expect([readProcesses, units]).to.deep.equal([readProcesses, quota]);
    }
  });

  it('counts neither key nor fleet where either has not enough left', () => {
    const limiter = createRateLimiter({ now: () => 0 });
    const read = (subject: string, cost: number) => limiter.consume({ bucket: 'reads', subject, fleet: 'f', cost });
    for (let n = 0; n < 7; n += 1) read('a', 50);
    expect(read('a', 45)).to.include({ allowed: true, policy: 'reads', remaining: 5 });
    for (let n = 0; n < 20; n += 1) expect(read('a', 6)).to.include({ allowed: false, policy: 'reads', remaining: 5 });
    expect(read('b', 1)).to.include({ allowed: true, remaining: 399 });
    let left = 0;
    for (const key of ['b', 'c', 'd', 'e', 'g']) while (read(key, 1).allowed) left += 1;
    expect(left).to.equal(2_000 - 395 - 1);
  });

  it('counts no request for more than an eighth of a burst, so that low limits refuse nothing for ever', () => {
    for (const [readsPerSecond, cost] of [
      [1, 1],
      [3, 1],
      [8, 2],
      [40, 10],
      [200, 50],
      [2_000, 50],
    ] as const) {
      const limiter = createRateLimiter({ readsPerSecond, now: () => 0 });
      const { remaining, quota } = limiter.consume({ bucket: 'reads', subject: 'a', cost: 50 });
      expect([readsPerSecond, quota - remaining]).to.deep.equal([readsPerSecond, cost]);
    }
  });

  it('says how long to wait for what was asked, and not for one unit', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ readsPerSecond: 10, now: () => nowMs });
    const read = () => limiter.consume({ bucket: 'reads', subject: 'a', cost: 2 });
    for (let n = 0; n < 10; n += 1) read();
    expect(read()).to.include({ allowed: false, retryAfterSeconds: 1 });
    nowMs += 199;
    expect(read().allowed).to.equal(false);
    nowMs += 1;
    expect(read().allowed).to.equal(true);
  });

  it('gives back what was counted, and no more than a full bucket holds', () => {
    const limiter = createRateLimiter({ readsPerSecond: 2, now: () => 0 });
    const request = { bucket: 'reads', subject: 'address:1' } as const;
    limiter.consume(request);
    limiter.giveBack(request);
    limiter.giveBack(request);
    expect(limiter.consume(request).remaining).to.equal(3);
  });

  it('tells quota, remaining and seconds', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ commandsPerSecond: 2, now: () => nowMs });
    expect(rateLimitHeaders(limiter.consume({ bucket: 'commands', subject: 'a' }))).to.deep.equal([
      ...['ratelimit-policy', '"commands";q=4;w=2'],
      ...['ratelimit', '"commands";r=3;t=1'],
    ]);
    for (let i = 0; i < 3; i++) limiter.consume({ bucket: 'commands', subject: 'a' });
    const refused = limiter.consume({ bucket: 'commands', subject: 'a' });
    expect(refused).to.include({ allowed: false, remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 });
    nowMs += 60_000;
    expect(limiter.consume({ bucket: 'commands', subject: 'b' }).remaining).to.equal(3);
  });

  it('drops a bucket once it is full again, and no bucket before', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ readsPerSecond: 1, now: () => nowMs });
    for (let n = 0; n < 10; n += 1) limiter.consume({ bucket: 'reads', subject: `once ${n}` });
    const told: number[] = [];
    for (; nowMs <= 4_000; nowMs += 500) told.push(limiter.consume({ bucket: 'reads', subject: 'steady' }).remaining);
    // A burst of 2, then one each second: the end of a generation gives no new burst.
    expect(told).to.deep.equal([1, 0, 0, 0, 0, 0, 0, 0, 0]);
    // The remaining subject may be in both generations.
    expect(limiter.subjects).to.be.at.most(2);
  });

  it('remembers a bounded number of addresses, whoever comes', () => {
    let nowMs = 0;
    const limiter = createRateLimiter({ now: () => nowMs });
    for (let n = 0; n < 400_000; n += 1) {
      nowMs += 0.001;
      if (!limiter.consume({ bucket: 'reads', subject: `address:${n}` }).allowed) {
        expect.fail('a first request was refused');
      }
    }
    expect(limiter.subjects).to.be.at.most(200_000);
    nowMs += 2_000;
    limiter.consume({ bucket: 'reads', subject: 'a' });
    nowMs += 2_000;
    limiter.consume({ bucket: 'reads', subject: 'a' });
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

  it('counts a list by its limit, however that is written, and what is refused for its form by its default', async () => {
    const limited = await startSampleApp({ rateLimiter: createRateLimiter({ now: () => 0 }) });
    let before = 400;
    for (const [query, cost] of [
      ['', 6],
      ['?limit=9', 1],
      ['?limit=10', 2],
      ['?limit=100', 11],
      ['?limit=99999999999999999999', 50],
      ['?%6Cimi%74=%31%30%30', 11],
      ['?x=1&limit=30&limit=400', 4],
      ['?limit=-1', 6],
      ['?limit=', 6],
      ['?limit', 6],
      ['?limit=%zz', 6],
      ['?limits=400', 6],
    ] as const) {
      const answer = await fetch(`${limited.url}/api/things${query}`);
      const left = Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
      expect([query, before - left]).to.deep.equal([query, cost]);
      before = left;
    }
    await limited.close(0);
  });

  it('looks up no unknown key once its address has reached its limit: not 1,300 times at a rate of 3', async () => {
    const limited = await startSampleApp({ rateLimiter: createRateLimiter({ readsPerSecond: 3, now: () => 0 }) });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        fetch(`${limited.url}/api/mine`, { headers: { 'x-api-key': `guess-${n}` } }),
      ),
    );
    const counts = [401, 429].map((status) => answers.filter((answer) => answer.status === status).length);
    expect(counts).to.deep.equal([6, 54]);
    expect(limited.authentications()).to.equal(6);
    // A public route, which ignores an unknown key, does not look it up either.
    expect((await fetch(`${limited.url}/api/things/1`, { headers: { 'x-api-key': 'guess' } })).status).to.equal(429);
    expect(limited.authentications()).to.equal(6);
    await limited.close(0);
  });

  it('gives the look-up of a key back to its address when the key proves good', async () => {
    const limited = await startSampleApp({ rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }) });
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${limited.url}${path}`, { headers });
      return [answer.status, answer.headers.get('ratelimit')];
    };
    for (const name of ['trader', 'viewer', 'onlyTrade', 'nothing'] as const) {
      expect(await ask('/api/mine', bearer(name)), name).to.deep.equal([200, '"reads";r=1;t=1']);
    }
    expect(await ask('/api/things/1', {})).to.deep.equal([200, '"reads";r=1;t=1']);
    await limited.close(0);
  });

  it('looks up a key that is known only once it is counted, against itself and its fleet', async () => {
    const limited = await startSampleApp({
      rateLimiter: createRateLimiter({ readsPerSecond: 2, now: () => 0 }),
      knownOwners: true,
    });
    const ask = async (name: 'master' | 'sub') =>
      (await fetch(`${limited.url}/api/mine`, { headers: bearer(name) })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await ask('master'));
    expect(statuses).to.deep.equal([200, 200, 200, 200, 429, 429]);
    expect(limited.authentications()).to.equal(4);
    // Nothing of it was counted against the address.
    expect((await fetch(`${limited.url}/api/things/1`)).headers.get('ratelimit')).to.equal('"reads";r=3;t=1');
    await limited.close(0);
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

  it('counts a request with two Hosts, which is refused before its route is looked at', async () => {
    const asked = Array.from({ length: 4 }, () =>
      sendBytes(app.url, 'GET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'),
    );
    const answers = await Promise.all(asked);
    expect(answers.map((text) => Number(text.slice(9, 12))).sort()).to.deep.equal([400, 400, 429, 429]);
  });

  it('gives operators a rate of their own', async () => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: '{"commands":[]}',
    };
    expect(await statuses(5, '/api/operator/batch', init)).to.deep.equal([200, 200, 200, 200, 429]);
  });

  it('trusts X-Forwarded-For from trusted proxies only', async () => {
    const plain = await startSampleApp({ rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }) });
    const answers: number[] = [];
    for (let i = 0; i < 3; i++) {
      const headers = { 'x-forwarded-for': `10.0.0.${i}` };
      answers.push((await fetch(`${plain.url}/api/things/1`, { headers })).status);
    }
    await plain.close(0);
    expect(answers).to.deep.equal([200, 200, 429]);
  });

  it('trusts the X-Forwarded-For of a relay in its own process, known by its secret alone', async () => {
    const relaySecret = 'the-secret-of-the-relay';
    const own = await startSampleApp({
      rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }),
      trustedProxies: ['10.9.9.9'],
      relaySecret,
    });
    const ask = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await fetch(`${own.url}/api/things/1`, { headers })).status;
    try {
      const statuses: number[] = [];
      for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2']) {
        statuses.push(await ask(relayHeaders(address, relaySecret)));
      }
      expect(statuses).to.deep.equal([200, 200, 429, 200]);
      // Without the secret, or with another one, all come from this machine.
      expect([
        await ask(relayHeaders('10.0.0.3', null)),
        await ask(relayHeaders('10.0.0.4', 'another-secret')),
        await ask(relayHeaders('10.0.0.5', 'another-secret')),
      ]).to.deep.equal([200, 200, 429]);
    } finally {
      await own.close(0);
    }
  });
});
