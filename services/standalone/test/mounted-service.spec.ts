import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { routeToMounted } from '../src/mounted-service.ts';

describe('services mounted beside the API', () => {
  it('get their own paths, and the API all others', () => {
    const served: string[] = [];
    const listener =
      (name: string): RequestListener =>
      ({ url = '' }) =>
        served.push(`${name} ${url}`);
    const mounted = (name: string, path: string) => ({
      handles: (one: string) => one === path,
      listener: listener(name),
    });
    const serve = routeToMounted([mounted('agents', '/mcp'), mounted('people', '/')], listener('api'));
    for (const url of ['/mcp?x=1', '/', 'http://host/mcp', '/api/mcp', '/nowhere']) {
      const request = Object.assign(new IncomingMessage(new Socket()), { url });
      serve(request, new ServerResponse(request));
    }
    expect(served).to.deep.equal([
      'agents /mcp?x=1',
      'people /',
      'agents http://host/mcp',
      'api /api/mcp',
      'api /nowhere',
    ]);
  });
});
