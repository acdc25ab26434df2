import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { z } from 'zod';
import { RouteInputs } from '../src/route-inputs.ts';

const declared = {
  params: z.object({ id: z.string().max(300) }),
  query: z.object({ limit: z.string().regex(/^\d+$/).optional() }),
  body: null,
  idempotent: false,
  items: null,
  maxBodyBytes: 1_024,
};
const request = (url: string): IncomingMessage => ({ url, method: 'GET', headers: {} }) as IncomingMessage;

describe('inputs of a route without a body', () => {
  it('are checked once for a URL, and frozen, since requests share them', () => {
    const inputs = new RouteInputs(declared);
    const first = inputs.read(request('/things/1?limit=5'), { id: '1' });
    expect(first).to.deep.include({ params: { id: '1' }, query: { limit: '5' } });
    expect(inputs.read(request('/things/1?limit=5'), { id: '1' })).to.equal(first);
    expect(inputs.read(request('/things/2?limit=5'), { id: '2' })).to.deep.include({ params: { id: '2' } });
    expect(() => Object.assign((first as { query: object }).query, { limit: '6' })).to.throw(TypeError);
  });

  it('are refused each time that they do not fit', () => {
    const inputs = new RouteInputs(declared);
    for (let n = 0; n < 2; n += 1) {
      expect(() => inputs.read(request('/things/1?limit=x'), { id: '1' })).to.throw('limit');
    }
  });

  it('are not cached for long URLs, and for few URLs at once', () => {
    const inputs = new RouteInputs(declared);
    const read = (id: string) => inputs.read(request(`/things/${id}`), { id });
    const long = 'x'.repeat(300);
    expect(read(long)).to.not.equal(read(long));
    const first = read('0');
    for (let n = 1; n < 500; n += 1) void read(String(n));
    expect(read('0')).to.equal(first);
    void read('500');
    expect(read('0')).to.not.equal(first);
  });

  it('are read anew for each request of a route whose headers or body count too', () => {
    const inputs = new RouteInputs({ ...declared, idempotent: true });
    const read = () => inputs.read(request('/things/1'), { id: '1' });
    expect(read()).to.not.equal(read());
  });
});

describe('a body that may be left out', () => {
  const body = z.strictObject({ until: z.string().default('the end') });
  const without = Object.assign(Readable.from([]), { headers: {}, method: 'POST', rawHeaders: [], url: '/things' });

  it('has its defaults, and stays a refusal where it has to be there', async () => {
    const read = (schema: z.ZodType) =>
      new RouteInputs({ ...declared, body: schema }).read(without as unknown as IncomingMessage, { id: '1' });
    expect(await read(body.prefault({}))).to.deep.include({ body: { until: 'the end' } });
    const refused: unknown = await Promise.resolve(read(body)).catch((error: unknown) => error);
    expect(String(refused)).to.include('a JSON object is required');
  });
});
