import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { isInstalled } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { TestAuthority } from '@paper/testkit/servers';
import { expect } from 'chai';
import { readNewCertificate, servedFingerprint, startFrontDoor } from '../src/index.ts';
import type { FrontDoor, ServiceName } from '../src/index.ts';

const NAMES: readonly ServiceName[] = ['command-api', 'query-api', 'stream-gateway', 'portal', 'mcp', 'backtests'];

(isInstalled('haproxy') && isInstalled('openssl') ? describe : describe.skip)('the front door with TLS', function () {
  this.timeout(60_000);
  let folder: string;
  let authority: TestAuthority;
  let service: Server;
  let door: FrontDoor;
  let certificate: string;
  let port: number;
  let ca: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper front door-'));
    authority = new TestAuthority(folder);
    ca = readFileSync(authority.caFile, 'utf8');
    service = createServer(({ httpVersion, url }, response) => response.end(`${url} by ${httpVersion}`));
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    certificate = together('first');
    const behind = NAMES.map((name) => ({ name, url, operationUrl: url }));
    door = await startFrontDoor(behind, { folder, tls: { certificate, host: '127.0.0.1', port: 0 } });
    port = Number(new URL(door.tlsUrl ?? '').port);
    await eventually('it has found its servers', async () => (await get('/api/markets')).status === 200);
  });
  after(async () => {
    await door.stop();
    service.close();
    rmSync(folder, { recursive: true });
  });

  /** Writes a certificate and its key into one file, as HAProxy reads it. */
  const together = (name: string, names?: readonly string[]): string => {
    const issued = authority.issue({ name, ...(names === undefined ? {} : { names }) });
    const file = path.join(folder, `${name}.pem`);
    writeFileSync(file, `${readFileSync(issued.certificate, 'utf8')}\n${readFileSync(issued.key, 'utf8')}`);
    return file;
  };
  const get = async (where: string, agent?: Agent) => {
    const asked = request({ host: 'localhost', family: 4, port, path: where, ca, ...(agent ? { agent } : {}) }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  const served = (): Promise<string> => servedFingerprint({ host: '127.0.0.1', port });

  it('answers by TLS and says that browsers must use it, and without TLS does not', async () => {
    const { body, headers, status } = await get('/api/markets');
    expect([status, body]).to.deep.equal([200, '/api/markets by 1.1']);
    expect(headers['strict-transport-security']).to.equal('max-age=31536000');
    const plain = await fetch(`${door.url}/api/markets`);
    expect(plain.status).to.equal(200);
    expect(plain.headers.get('strict-transport-security')).to.equal(null);
  });

  it('speaks HTTP/2 by TLS', async () => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca });
    const stream = session.request({ ':path': '/api/markets' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).to.equal(200);
    expect(await text(stream)).to.equal('/api/markets by 1.1');
    session.close();
  });

  it('refuses TLS 1.1', async () => {
    const agent = new Agent({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    const refused = await get('/api/markets', agent).then(
      () => null,
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    expect(refused).to.match(/^(ERR_SSL_|ECONNRESET|EPROTO)/);
  });

  it('replaces its certificate while requests run, and none of them fails', async () => {
    const before = await served();
    const failed: unknown[] = [];
    let [answered, running] = [0, true];
    const loop = async (agent: Agent): Promise<void> => {
      while (running) {
        await get('/api/markets', agent).then(
          ({ status }) => (status === 200 ? (answered += 1) : failed.push(status)),
          (error: unknown) => failed.push(error),
        );
      }
    };
    const agents = [true, true, false, false].map((keepAlive) => new Agent({ keepAlive, maxSockets: 1 }));
    const loops = agents.map(loop);
    await eventually('requests are answered', () => answered > 50);
    for (const name of ['second', 'third']) {
      copyFileSync(together(name), certificate);
      const { fingerprint256 } = await door.replaceCertificate();
      expect(fingerprint256).to.equal(readNewCertificate(certificate, 'localhost').fingerprint256);
      expect(await served())
        .to.equal(fingerprint256)
        .and.not.to.equal(before);
      const until = answered + 50;
      await eventually('requests are answered', () => answered > until);
    }
    running = false;
    await Promise.all(loops);
    for (const agent of agents) agent.destroy();
    expect(failed).to.deep.equal([]);
  });

  it('goes on with the former certificate where the file cannot be served', async () => {
    const before = await served();
    const good = readFileSync(certificate, 'utf8');
    const foreign = authority.issue({ name: 'foreign' });
    const faults: readonly (readonly [string, RegExp])[] = [
      ['nothing', /has no certificate that can be read/],
      [readFileSync(foreign.certificate, 'utf8'), /has no private key that can be read/],
      [good.replace(/-----BEGIN PRIVATE[^]*/, readFileSync(foreign.key, 'utf8')), /the key is not that of/],
    ];
    for (const [content, expected] of faults) {
      writeFileSync(certificate, content);
      const refused = await door.replaceCertificate().then(() => 'served', String);
      expect(refused).to.match(expected);
    }
    writeFileSync(certificate, good);
    expect(await served()).to.equal(before);
  });

  it('names a certificate that is for another host', () => {
    const other = together('other', ['DNS:paper.example']);
    expect(readNewCertificate(other, 'paper.example').names).to.equal('DNS:paper.example');
    expect(() => readNewCertificate(other, 'localhost')).to.throw(
      'the certificate is for DNS:paper.example, and PUBLIC_URL has localhost',
    );
  });
});
