import { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { besideDoors } from '../src/door.ts';

describe('doors beside the API', () => {
  it('get their own paths, and the API all others', () => {
    const served: string[] = [];
    const listener =
      (name: string): RequestListener =>
      ({ url = '' }) =>
        served.push(`${name} ${url}`);
    const door = (name: string, path: string) => ({
      handles: (one: string) => one === path,
      listener: listener(name),
    });
    const serve = besideDoors([door('agents', '/mcp'), door('people', '/')], listener('api'));
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
