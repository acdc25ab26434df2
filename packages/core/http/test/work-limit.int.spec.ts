import { once } from 'node:events';
import { connect } from 'node:net';
import { defineEndpoint, withIds } from '@paper/contracts';
import { eventually, FakeClock, turn } from '@paper/testkit';
import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../src/index.ts';
import type { Route } from '../src/index.ts';
import { COMMANDS_MIN, WorkLimit } from '../src/work-limit.ts';
import type { Work } from '../src/work-limit.ts';
import { bearer, startSampleApp } from './sample-app.ts';
import type { KeyName, SampleApp } from './sample-app.ts';

const THING = { amount: 0.5, count: 1, name: 'thing' };
const ARRIVAL_MS = 200;

const { placeList } = withIds({
  placeList: defineEndpoint({
    ...{ method: 'post', path: '/api/lists', tag: 'sample', summary: '', description: '', auth: 'key' },
    items: 'things',
    body: z.strictObject({ things: z.array(z.int()) }),
    answer: z.int(),
  }),
});

describe('commands while as many are under way as can be answered', () => {
  let app: SampleApp;
  let clock: FakeClock;
  let busy: Work;
  let workLimit: WorkLimit;
  beforeEach(async () => {
    clock = new FakeClock();
    workLimit = new WorkLimit({ clock });
    app = await startSampleApp({ arrivalMs: ARRIVAL_MS, workLimit });
    busy = workLimit.request({ account: 'busy', fleet: 'busy' }, 2 * COMMANDS_MIN);
    await busy.begin();
  });
  afterEach(() => app.close(0));

  const post = async (as: KeyName, text: string): Promise<Response> =>
    fetch(`${app.url}/api/things`, {
      method: 'POST',
      headers: { ...bearer(as), 'content-type': 'application/json' },
      body: text,
    });
  /** Whether a request of a key waits: there is a timer of its wait. */
  const untilWaiting = () => eventually('the request waits', () => clock.waiting === 1);

  it('wait before they are parsed, and are answered when there is room', async () => {
    let status: number | null = null;
    const answer = post('trader', '{').then((response) => (status = response.status));
    await untilWaiting();
    await turn();
    expect(status).to.equal(null);
    expect((await app.metrics.expose()).text).to.include('\nhttp_commands_waiting 1\n');
    busy.end();
    expect(await answer).to.equal(400);
    expect((await app.metrics.expose()).text).to.include('\nhttp_commands_waiting 0\n');
  });

  it('pass where their fleet has nothing under way and there is not twice as much', async () => {
    busy.resize(2 * COMMANDS_MIN - 1);
    expect((await post('trader', JSON.stringify(THING))).status).to.equal(200);
    expect(app.commands()).to.equal(1);
  });

  it('are under way only until they are answered', async () => {
    busy.resize(2 * COMMANDS_MIN - 1);
    for (const body of [THING, {}, THING]) await post('trader', JSON.stringify(body));
    expect(app.commands()).to.equal(2);
    expect(clock.waiting).to.equal(0);
  });

  it('pass without a body, such as a cancel: they are too little work to wait', async () => {
    const answer = await fetch(`${app.url}/api/things/1`, { method: 'DELETE', headers: bearer('trader') });
    expect([answer.status, clock.waiting]).to.deep.equal([200, 0]);
  });

  it('wait as a batch does where they are a list, and count as many as a list may have until it is read', async () => {
    const { authenticate } = app.routes[0] as Route;
    await app.close(0);
    const list = route(placeList, (_caller, { body }) => ({ body: body.things.length, seq: 1 }), authenticate);
    app = await startSampleApp({ routes: [list], workLimit });
    busy.resize(COMMANDS_MIN);
    const answer = fetch(`${app.url}/api/lists`, {
      method: 'POST',
      headers: { ...bearer('trader'), 'content-type': 'application/json' },
      body: JSON.stringify({ things: [1, 2] }),
    });
    await untilWaiting();
    expect((await app.metrics.expose()).text).to.include('\nhttp_commands_waiting 50\n');
    busy.end();
    expect(await (await answer).json()).to.equal(2);
    expect(clock.waiting).to.equal(0);
  });

  it('are 503 with Retry-After after 5 s, and not carried out', async () => {
    const answer = post('trader', JSON.stringify(THING));
    await untilWaiting();
    clock.advance(5_000);
    const { headers, status } = await answer;
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    busy.end();
    expect((await post('trader', JSON.stringify(THING))).status).to.equal(200);
    expect(app.commands()).to.equal(1);
  });

  it('do not lose the time for their arrival by that', async () => {
    const answer = post('trader', JSON.stringify(THING));
    await untilWaiting();
    // A request that began later, and does not arrive whole, has used its time up.
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write('POST /api/things HTTP/1.1\r\nHost: x\r\n');
    const [text] = (await once(socket, 'data')) as [Buffer];
    expect(text.toString()).to.match(/^HTTP\/1.1 408 /);
    socket.destroy();
    busy.end();
    expect((await answer).status).to.equal(200);
  });

  it('are refused for their key, and for a body that is too large, without waiting', async () => {
    expect((await post('viewer', JSON.stringify(THING))).status).to.equal(403);
    expect((await post('trader', `{"name": "${'x'.repeat(65_536)}"}`)).status).to.equal(413);
    expect(clock.waiting).to.equal(0);
  });
});
