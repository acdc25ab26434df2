import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { HostNames } from '../src/http/names.ts';

const names = new HostNames(['Paper.example', '192.168.1.5']);

function request(...headers: readonly string[]): IncomingMessage {
  const made = new IncomingMessage(new Socket());
  made.httpVersion = '1.1';
  made.rawHeaders = [...headers];
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at);
    made.headers[name.toLowerCase()] ??= value;
    (made.headersDistinct[name.toLowerCase()] ??= []).push(value);
  }
  return made;
}

describe('the names by which agents reach the service', () => {
  for (const host of [
    'localhost:4000',
    '127.0.0.1',
    '[::1]:4000',
    'paper.example',
    'PAPER.example:443',
    '192.168.1.5',
  ]) {
    it(`are those of this machine and the given ones: ${host}`, () => {
      expect(() => names.assertKnown(request('Host', host))).not.to.throw();
      expect(() => names.assertKnown(request('Host', host, 'Origin', `https://${host}`))).not.to.throw();
    });
  }

  for (const host of ['evil.example', 'paper.example.evil.example', 'localhost.evil.example', '', 'a b', '127.0.0.2']) {
    it(`are no others: "${host}"`, () => {
      expect(() => names.assertKnown(request('Host', host)))
        .to.throw()
        .with.property('status', 403);
    });
  }

  for (const origin of ['https://evil.example', 'null', 'file://localhost', 'localhost', '']) {
    it(`refuse pages of another Origin: "${origin}"`, () => {
      const sent = request('Host', 'localhost', 'Origin', origin);
      expect(() => names.assertKnown(sent))
        .to.throw()
        .with.property('status', 403);
    });
  }

  it('refuse two Hosts, and two Origins', () => {
    const origins = ['Origin', 'http://localhost', 'Origin', 'http://localhost'];
    expect(() => names.assertKnown(request('Host', 'localhost', 'Host', 'localhost'))).to.throw('Host');
    expect(() => names.assertKnown(request('Host', 'localhost', ...origins))).to.throw('Origin');
  });
});
