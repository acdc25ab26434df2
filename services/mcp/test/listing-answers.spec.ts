import { expect } from 'chai';
import { ListingAnswers } from '../src/http/listing-answers.ts';

/** The answers to `tools/list`, of a library that counts how often it made one. */
describe('cached answers to tools/list', () => {
  let answers: ListingAnswers;
  let made: number;
  let status: number;
  beforeEach(() => {
    [answers, made, status] = [new ListingAnswers(), 0, 200];
  });

  const ask = async (client: string, id: string | number = 1): Promise<readonly [status: number, text: string]> => {
    const request = new Request('http://mcp/mcp', { method: 'POST' });
    const message = { id, method: 'tools/list', params: { client } };
    const response = await answers.answer(request, message, ['view'], (one) => {
      made += 1;
      return Promise.resolve(new Response(JSON.stringify({ ...one, made }), { status }));
    });
    return [response.status, await response.text()];
  };
  const text = (client: string, id: string | number, n: number): string =>
    JSON.stringify({ id, method: 'tools/list', params: { client }, made: n });

  it('are made once for each form of the request, and name the id of each', async () => {
    expect(await ask('a')).to.deep.equal([200, text('a', 1, 1)]);
    expect(await ask('a', 'two')).to.deep.equal([200, text('a', 'two', 1)]);
    expect(await ask('b')).to.deep.equal([200, text('b', 1, 2)]);
  });

  it('are not kept where the library refuses, so that a later request is answered', async () => {
    status = 400;
    expect(await ask('a', 7)).to.deep.equal([400, text('a', 7, 1)]);
    status = 200;
    expect(await ask('a', 8)).to.deep.equal([200, text('a', 8, 2)]);
  });

  it('are at most 50, whatever clients say about themselves: with one more all are made again', async () => {
    for (let n = 0; n < 50; n += 1) await ask(String(n));
    await ask('0');
    expect(made).to.equal(50);
    await ask('one more');
    await ask('0');
    expect(made).to.equal(52);
  });
});
