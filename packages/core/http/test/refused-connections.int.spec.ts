import { connect } from 'node:net';
import { once } from 'node:events';
import { ApiError, defineEndpoint, withIds } from '@paper/contracts';
import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../src/index.ts';
import { createRateLimiter } from '../src/rate-limit.ts';
import { startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const REFUSED = 'GET /api/things/1 HTTP/1.1\r\nHost: x\r\n\r\n';
/** A limit that no test reaches again before its end. */
const limited = () => createRateLimiter({ readsPerSecond: 1, now: () => 0 });

describe('a connection that is refused again and again', () => {
  let app: SampleApp;
  afterEach(() => app.close(0));

  /** Sends requests one after the other, `most` at most; gives the statuses of the answers until the connection ended. */
  const send = async (most: number, request: (n: number) => string = () => REFUSED) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    const answers: string[] = [];
    for (let n = 0; n < most && !socket.destroyed; n += 1) {
      socket.write(request(n));
      const ended = new AbortController();
      const { signal } = ended;
      const [text] = (await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })])) as [
        Buffer | boolean,
      ];
      ended.abort();
      if (typeof text !== 'boolean') answers.push(text.toString());
      if (/^connection: close/im.test(answers.at(-1) ?? '')) await once(socket, 'close');
    }
    const isOpen = !socket.destroyed;
    socket.destroy();
    return { isOpen, last: answers.at(-1) ?? '', statuses: answers.map((one) => Number(one.slice(9, 12))) };
  };

  it('is closed by the hundredth answer of 429 in a row, which says so', async () => {
    app = await startSampleApp({ rateLimiter: limited() });
    const { isOpen, last, statuses } = await send(150);
    expect({ isOpen, statuses }).to.deep.equal({
      isOpen: false,
      statuses: [200, 200, ...Array<number>(100).fill(429)],
    });
    expect(last).to.match(/^connection: close/im);
  });

  it('is closed by the hundredth answer of 421, which is that of another host', async () => {
    const { getElsewhere } = withIds({
      getElsewhere: defineEndpoint({
        ...{ path: '/api/elsewhere', tag: 'sample', summary: '', description: '', auth: 'public' },
        answer: z.string(),
      }),
    });
    const misdirected = route(
      getElsewhere,
      () => Promise.reject(new ApiError('not_found', 'This is no host of this service', 421)),
      () => Promise.resolve(null),
    );
    app = await startSampleApp({ routes: [misdirected] });
    const { isOpen, last, statuses } = await send(150, () => REFUSED.replace('things/1', 'elsewhere'));
    expect({ isOpen, statuses }).to.deep.equal({ isOpen: false, statuses: Array<number>(100).fill(421) });
    expect(last).to.match(/^connection: close/im);
  });

  it('is closed also where its requests were sent ahead', async () => {
    app = await startSampleApp({ rateLimiter: limited() });
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString())).on('error', () => undefined);
    socket.write(REFUSED.repeat(5_000));
    await once(socket, 'close');
    const refused = text.split('HTTP/1.1 429').length - 1;
    expect(refused).to.be.within(100, 200);
  });

  it('stays where another answer comes between', async () => {
    app = await startSampleApp({ rateLimiter: limited() });
    const command = 'DELETE /api/things/1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const { isOpen, statuses } = await send(150, (n) => (n % 60 === 59 ? command : REFUSED));
    expect(isOpen).to.equal(true);
    expect(statuses.filter((status) => status === 429)).to.have.length.above(100);
  });

  it('stays where its peer is a trusted proxy, whose connections carry the requests of others', async () => {
    app = await startSampleApp({ rateLimiter: limited(), trustedProxies: ['127.0.0.1'] });
    const { isOpen, statuses } = await send(150);
    expect({ isOpen, refused: statuses.filter((status) => status === 429).length }).to.deep.equal({
      isOpen: true,
      refused: 148,
    });
  });

  it('is logged as one line, not as one a request', async () => {
    app = await startSampleApp({ rateLimiter: limited() });
    await send(100);
    expect(app.log.filter(({ status }) => status === 429)).to.have.length(1);
  });

  it('is logged as one line also where the service is unavailable, and as its own lines where it is at fault', async () => {
    app = await startSampleApp();
    for (const [what, status, lines] of [
      ['unavailable', 503, 1],
      ['bug', 500, 5],
    ] as const) {
      const { statuses } = await send(5, () => REFUSED.replace('things/1', `fail/${what}`));
      expect(statuses).to.deep.equal(Array<number>(5).fill(status));
      expect(
        app.log.filter((line) => line['status'] === status),
        what,
      ).to.have.length(lines);
    }
  });
});
