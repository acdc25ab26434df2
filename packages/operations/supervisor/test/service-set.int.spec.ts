import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@paper/runtime';
import { expect } from 'chai';
import { ServiceSet } from '../src/set/service-set.ts';

/** Stands in for a projector: it answers operators at once, and listens only while it finds no file `away`. */
const WAITS = `
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
const away = existsSync(process.env.AWAY);
const checks = { journal: away ? 'the journal cannot be used: connect ECONNREFUSED' : 'ok' };
const server = createServer((_, answer) => answer.end(JSON.stringify({ checks })));
server.listen(Number(process.env.METRICS_PORT), '127.0.0.1', () => {
  const metricsUrl = 'http://127.0.0.1:' + server.address().port + '/metrics';
  if (!away) process.send({ kind: 'listening', metricsUrl });
});
`;

describe('a set of services', function () {
  this.timeout(30_000);
  let folder: string;
  let set: ServiceSet;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-service-set-'));
    mkdirSync(path.join(folder, 'services/projector/src'), { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(folder, 'services/projector/src/main.js'), WAITS);
    const env = { AWAY: path.join(folder, 'away') };
    set = new ServiceSet(() => env, createLogger({ level: 'silent', name: 'test' }), folder);
  });
  afterEach(async () => {
    await set.stop();
    rmSync(folder, { recursive: true });
  });

  // It hung for as long as the server was away, and said nothing.
  it('says why a process that is restarted does not start, and goes on to start it', async () => {
    const none = { 'command-api': 0, 'query-api': 0, 'stream-gateway': 0, portal: 0, mcp: 0, backtests: 0 };
    await set.start({ ...none, projector: 1 });
    expect(await set.restart('projector-1')).to.include({ restarts: 1, readiness: 'ready', state: 'running' });
    writeFileSync(path.join(folder, 'away'), '');
    const status = await set.restart('projector-1', 2_000);
    expect(status).to.include({
      pid: null,
      readiness: 'it is being started: the journal cannot be used: connect ECONNREFUSED',
      state: 'down',
    });
  });
});
