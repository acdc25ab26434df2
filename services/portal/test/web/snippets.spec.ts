import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CreateSubAccountInput } from '@paper/contracts/accounts';
import { expect } from 'chai';
import { KEY_PLACEHOLDER, snippets } from '../../web/pages/developers/snippets.ts';

const run = promisify(execFile);
const KEY = 'svc_live_0123456789abcdef';
const tsx = import.meta.resolve('tsx');

/** How a test runs a snippet that is saved in `file`. */
const RUNNERS: Readonly<Record<string, { readonly program: string; args(file: string): string[] }>> = {
  curl: { program: 'sh', args: (file) => [file] },
  TypeScript: { program: process.execPath, args: (file) => ['--import', tsx, file] },
  Python: { program: 'python3', args: (file) => [file] },
};
const EXTENSIONS: Readonly<Record<string, string>> = { curl: 'sh', TypeScript: 'mts', Python: 'py' };

describe('the programs of the page Developers', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'snippets-'));
  const received: { method: string; url: string; authorization: string; type: string; body: unknown }[] = [];
  let server: Server;
  let baseUrl: string;

  before(async () => {
    server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        received.push({
          method: request.method ?? '',
          url: request.url ?? '',
          authorization: request.headers.authorization ?? '',
          type: request.headers['content-type'] ?? '',
          body: JSON.parse(Buffer.concat(chunks).toString()),
        });
        response.setHeader('Content-Type', 'application/json');
        response.end('{"apiKey":{"rawKey":"svc_live_of_the_sub_account"}}');
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => received.splice(0));

  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { language } of snippets('http://localhost', KEY)) {
    it(`${language}: as pasted, opens a sub-account and prints its key`, async function () {
      const runner = RUNNERS[language];
      if (runner === undefined) throw new Error(`no test runs ${language}`);
      if (spawnSync(runner.program, ['-c', '']).error !== undefined) {
        if (process.env['REQUIRE_SERVERS'] === '1') throw new Error(`no ${runner.program} is installed`);
        this.skip();
      }
      const code = snippets(baseUrl, KEY).find((snippet) => snippet.language === language)?.code ?? '';
      const file = path.join(folder, `program.${EXTENSIONS[language]}`);
      writeFileSync(file, code);

      const { stdout } = await run(runner.program, runner.args(file));

      expect(stdout).to.include('svc_live_of_the_sub_account');
      expect(received).to.deep.equal([
        {
          method: 'POST',
          url: '/api/accounts/sub',
          authorization: `Bearer ${KEY}`,
          type: 'application/json',
          body: { displayName: 'My bot', permissions: ['view', 'trade'] },
        },
      ]);
      expect(() => CreateSubAccountInput.parse(received[0]?.body)).not.to.throw();
    });
  }

  it('hold the placeholder alone once the key is no longer shown', () => {
    const codes = snippets('https://trade.example', KEY_PLACEHOLDER).map(({ code }) => code);
    expect(codes.every((code) => code.includes(`'${KEY_PLACEHOLDER}'`))).to.equal(true);
    expect(codes.every((code) => code.includes('https://trade.example/api/accounts/sub'))).to.equal(true);
  });
});
