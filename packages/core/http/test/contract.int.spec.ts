import { Agent } from 'node:http';
import { endpoints, EXAMPLES } from '@paper/contracts';
import type { Endpoint, EndpointId, KeyCaller, OperatorCaller, PublicCaller } from '@paper/contracts';
import { expect } from 'chai';
import { badRequests, sendBadRequest } from '@paper/testkit/http';
import { hashKey } from '../src/index.ts';
import type { Route } from '../src/index.ts';
import { BODY_SAMPLES } from './body-samples.ts';
import { bearer, OPERATOR_TOKEN, startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const SEED = 20_261_122;
const KNOWN_KEY = 'svc_live_known';
const KNOWN_HASH = hashKey(KNOWN_KEY);
const all: readonly Endpoint[] = Object.values(endpoints);

/** Every endpoint of the contract, with a handler that only notes that it was reached. */
describe('every endpoint of the contract', function () {
  this.timeout(60_000);
  let app: SampleApp;
  const reached: string[] = [];
  const agent = new Agent({ keepAlive: true });

  before(async () => {
    const master: KeyCaller = {
      kind: 'key',
      accountId: 'a',
      keyId: 'k',
      permissions: ['view', 'trade', 'master', 'reconcile'],
      primaryAccountId: null,
    };
    const routes = all.map((endpoint): Route => ({
      endpoint,
      handler: async (caller: KeyCaller | OperatorCaller | PublicCaller) => {
        reached.push(endpoint.id);
        return { body: { caller: caller.kind }, seq: 1 };
      },
      authenticate: async (hash) => (hash === KNOWN_HASH ? master : null),
    }));
    app = await startSampleApp({ routes, validateAnswers: false });
  });
  after(async () => {
    agent.destroy();
    await app.close(0);
  });
  beforeEach(() => reached.splice(0));

  /** With the query of its example where the endpoint needs one. */
  const pathOf = ({ id, path, query }: Endpoint): string => {
    const filled = path.replaceAll(/\{\w+\}/g, 'market-1');
    if (query === null || query.safeParse({}).success) return filled;
    return `${filled}?${new URLSearchParams(EXAMPLES[id as EndpointId].query).toString()}`;
  };
  const keyOf = (endpoint: Endpoint): string => (endpoint.auth === 'operator' ? OPERATOR_TOKEN : KNOWN_KEY);

  for (const endpoint of all) {
    const sample = BODY_SAMPLES[endpoint.id];
    const name = `${endpoint.method.toUpperCase()} ${endpoint.path}`;

    it(`${name}: reached with what it asks for, and refused to strangers`, async () => {
      const send = (authorization: string | null) =>
        fetch(app.url + pathOf(endpoint), {
          method: endpoint.method.toUpperCase(),
          headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
          ...(sample === undefined ? {} : { body: JSON.stringify(sample.sample) }),
        });
      const good = await send(`Bearer ${keyOf(endpoint)}`);
      expect(await good.json()).to.deep.equal({ caller: endpoint.auth });
      expect(reached).to.deep.equal([endpoint.id]);
      const stranger = await send(null);
      expect(stranger.status).to.equal(endpoint.auth === 'public' ? 200 : 401);
      if (endpoint.auth === 'operator') expect((await send(bearer('trader').authorization)).status).to.equal(401);
      if (endpoint.auth === 'operator') expect((await send(`Bearer ${KNOWN_KEY}`)).status).to.equal(403);
    });

    it(`${name}: ${endpoint.conditional ? 'has a tag, and is not sent again to who has it' : 'has no tag'}`, async () => {
      const send = (verb: string, headers: Record<string, string> = {}) =>
        fetch(app.url + pathOf(endpoint), {
          method: verb,
          headers: { authorization: `Bearer ${keyOf(endpoint)}`, 'content-type': 'application/json', ...headers },
          ...(sample === undefined ? {} : { body: JSON.stringify(sample.sample) }),
        });
      const first = await send(endpoint.method.toUpperCase());
      await first.arrayBuffer();
      const tag = first.headers.get('etag');
      expect(tag !== null).to.equal(endpoint.conditional);
      if (tag === null) return;
      const cacheControl = endpoint.auth === 'public' ? 'no-cache' : 'no-store';
      for (const verb of ['GET', 'HEAD']) {
        const again = await send(verb, { 'if-none-match': tag });
        expect([again.status, await again.text()]).to.deep.equal([304, '']);
        const headers = { etag: tag, 'cache-control': cacheControl, 'x-journal-seq': '1' };
        expect(Object.fromEntries(again.headers)).to.include(headers);
      }
    });

    if (endpoint.body === null) continue;
    const requests = endpoint.maxBodyBytes > 1e6 ? 50 : 150;
    it(`${name}: ${requests} generated bad requests never reach its handler`, async () => {
      if (sample === undefined) throw new Error(`no sample of a body of ${endpoint.id}`);
      const generated = badRequests(SEED, {
        ...sample,
        method: endpoint.method === 'patch' ? 'PATCH' : endpoint.method === 'put' ? 'PUT' : 'POST',
        path: pathOf(endpoint),
        key: keyOf(endpoint),
        maxBodyBytes: endpoint.maxBodyBytes,
        idempotent: endpoint.idempotent,
      });
      for (let index = 0; index < requests; index++) {
        const bad = generated.next().value;
        // A body that may be left out is as good as none.
        if (bad.body.length === 0 && endpoint.body?.safeParse(undefined).success === true) continue;
        const answer = await sendBadRequest(app.url, bad, agent);
        const told = `#${index} ${bad.name}: ${bad.body.subarray(0, 300).toString()} → ${JSON.stringify(answer.body)}`;
        expect(answer.status, told).to.equal(bad.status);
        expect(answer.body, told).to.have.all.keys('error', 'code');
        expect(answer.body, told).to.include({ code: bad.code });
        expect(reached, told).to.deep.equal([]);
      }
    });
  }
});
