import { ApiError, defineEndpoint, Refused, Unavailable, UNKNOWN_COST, withIds } from '@paper/contracts';
import { expect } from 'chai';
import { z } from 'zod';
import { createRateLimiter, hashKey, route, streamRoute } from '../src/index.ts';
import type { Authenticate, RateLimiter } from '../src/index.ts';
import { bearer, KEYS, OPERATOR_TOKEN, startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const declared = {
  tag: 'sample',
  summary: '',
  description: '',
  cost: { base: 2 },
  params: z.object({ id: z.string() }),
  answer: z.string(),
} as const;
const { getThing, getDear, getBad, streamThing, getOwn } = withIds({
  getThing: defineEndpoint({ ...declared, path: '/api/thing/{id}', auth: 'public', conditional: true }),
  getDear: defineEndpoint({ ...declared, path: '/api/dear/{id}', auth: 'public', cost: { base: 25 } }),
  getBad: defineEndpoint({
    ...declared,
    path: '/api/bad/{id}',
    auth: 'public',
    errors: ['market_not_found'],
    errorStatuses: { market_not_found: 400 },
  }),
  streamThing: defineEndpoint({ ...declared, path: '/api/stream/{id}', auth: 'public', streams: true }),
  getOwn: defineEndpoint({ ...declared, path: '/api/own/{id}', auth: 'key' }),
});

describe('a read of something that the projection does not show yet', () => {
  /** What the journal has, and what the projection shows of it. */
  let journal: Set<string>;
  let shown: Set<string>;
  let waits: string[];
  let isLate: boolean;
  let unknownCode: 'market_not_found' | 'account_not_found';
  let limiter: RateLimiter;
  let app: SampleApp;

  const find = (id: string): string => {
    if (!shown.has(id)) throw new ApiError(unknownCode, `No thing has the id ${id}`);
    return id;
  };

  beforeEach(async () => {
    [journal, shown, waits, isLate] = [new Set(['old', 'new']), new Set(['old']), [], false];
    unknownCode = 'market_not_found';
    limiter = createRateLimiter({ now: () => 0 });
    const waitUntilCaughtUp = async ({ patient }: { readonly patient: boolean }): Promise<void> => {
      waits.push(patient ? 'patient' : 'at once');
      if (isLate) throw new Unavailable('behind');
      shown = new Set(journal);
    };
    const lookUp = async (hash: string) => {
      const known = hash === hashKey('svc_live_trader') ? KEYS.trader : null;
      await waitUntilCaughtUp({ patient: known === null });
      return known;
    };
    const authenticate: Authenticate = Object.assign(lookUp, { waitUntilCaughtUp });
    app = await startSampleApp({
      routes: [
        route(getThing, (_caller, { params }) => ({ body: find(params.id), seq: 1 }), authenticate),
        route(getDear, (_caller, { params }) => ({ body: find(params.id), seq: 1 }), authenticate),
        route(
          getBad,
          (_caller, { params: { id } }) => {
            if (shown.has(id)) return { body: id, seq: 1 };
            throw new Refused('market_not_found', `No thing has the id ${id}`);
          },
          authenticate,
        ),
        route(getOwn, (_caller, { params }) => ({ body: find(params.id), seq: 1 }), authenticate),
        streamRoute(
          streamThing,
          async (_caller, { params }, begin) => begin(1, Buffer.from(`data: ${find(params.id)}\n\n`), () => {}).end(),
          authenticate,
        ),
      ],
      rateLimiter: limiter,
    });
  });
  afterEach(() => app.close(0));

  const ask = async (path: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
    const answer = await fetch(`${app.url}/api/${path}`, { headers });
    await answer.text();
    return [answer.status, ...waits.splice(0)];
  };
  /** The units that this took from the address. */
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    const left = (): number => limiter.consume({ bucket: 'reads', subject: 'address:127.0.0.1', cost: 0 }).remaining;
    const before = left();
    await work();
    return before - left();
  };
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const unknownKey = { 'x-api-key': 'svc_live_nobody' };

  it('shows what was just listed, to a caller without a key too, whose wait is patient', async () => {
    expect(await ask('thing/new')).to.deep.equal([200, 'patient']);
    shown.delete('new');
    expect(await ask('stream/new')).to.deep.equal([200, 'patient']);
  });

  it('looks again for all that is said to be unknown: a 404 of any code, and a market, whatever its status', async () => {
    expect(await ask('bad/new')).to.deep.equal([200, 'patient']);
    expect(await ask('bad/never')).to.deep.equal([400, 'patient']);
    shown.delete('new');
    unknownCode = 'account_not_found';
    expect(await ask('thing/new')).to.deep.equal([200, 'patient']);
    expect(await ask('thing/never')).to.deep.equal([404, 'patient']);
  });

  it('waits for nothing where a caller without a key asks for what is known', async () => {
    expect(await ask('thing/old')).to.deep.equal([200]);
    expect(await ask('stream/old')).to.deep.equal([200]);
    expect(await costOf(() => ask('thing/old'))).to.equal(2);
  });

  it('waits first, and projects at once, for a valid key and for an operator', async () => {
    expect(await ask('thing/old', bearer('trader'))).to.deep.equal([200, 'at once']);
    expect(await ask('thing/never', bearer('trader'))).to.deep.equal([404, 'at once']);
    expect(await ask('thing/never', operator)).to.deep.equal([404, 'at once']);
    expect(await ask('stream/never', operator)).to.deep.equal([404, 'at once']);
    expect(await costOf(() => ask('thing/never', operator)), 'counts as the operator').to.equal(0);
    expect(await ask('own/new', operator), 'no key').to.deep.equal([401, 'patient']);
  });

  it('costs 10 where it waited without a valid key', async () => {
    expect(UNKNOWN_COST).to.equal(10);
    for (const [path, headers, status] of [
      ['thing/never', {}, 404],
      ['stream/never', {}, 404],
      ['thing/never', unknownKey, 404],
      ['thing/old', unknownKey, 200],
      ['own/old', unknownKey, 401],
    ] as const) {
      expect(await costOf(() => ask(path, headers)), `${path} ${status}`).to.equal(10);
      expect(await ask(path, headers)).to.deep.equal([status, 'patient']);
    }
  });

  it('costs its own price, with an unknown key too, where that is more than 10', async () => {
    expect(await costOf(() => ask('dear/old'))).to.equal(25);
    expect(await costOf(() => ask('dear/old', unknownKey))).to.equal(25);
    expect(await costOf(() => ask('dear/never'))).to.equal(25);
  });

  it('is 503 and never unknown where the projection does not catch up; what is known needs no wait', async () => {
    isLate = true;
    for (const headers of [{}, unknownKey, bearer('trader'), operator]) {
      expect((await ask('thing/new', headers))[0], JSON.stringify(headers)).to.equal(503);
      expect((await ask('stream/new', headers))[0], JSON.stringify(headers)).to.equal(503);
    }
    expect((await ask('own/old', unknownKey))[0], 'never 401').to.equal(503);
    expect(await ask('thing/old')).to.deep.equal([200]);
  });

  it('answers with Vary, since a cached answer without a key is older than one with a key', async () => {
    const held = (await fetch(`${app.url}/api/thing/old`)).headers.get('etag') ?? '';
    for (const headers of [{}, bearer('trader'), operator, { 'if-none-match': held }]) {
      const answer = await fetch(`${app.url}/api/thing/old`, { headers });
      expect(answer.headers.get('vary'), String(answer.status)).to.equal('authorization, x-api-key');
    }
  });
});
