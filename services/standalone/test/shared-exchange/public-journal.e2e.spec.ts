import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedAnswer, CheckedClient } from '@paper/testkit/http';

const script = path.resolve(import.meta.dirname, '../../../../scripts/verify-journal.mjs');
const ROUNDS = 20;

/** An audit by a stranger who has only the address, the verifier and the receipts of bots. */
describeSharedExchange('an auditor without access', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;
  let folder: string;
  const receipts: string[] = [];
  const secrets: string[] = [];

  const verify = (...args: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [script, ...args], { cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  const keep = ({ status, headers }: CheckedAnswer): void => {
    expect(status).to.equal(200);
    receipts.push(`${headers.get('x-journal-seq')}:${headers.get('x-journal-hash')}`);
  };
  const withReceipts = (): string[] => receipts.flatMap((receipt) => ['--receipt', receipt]);

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'auditor-'));
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    const asOperator = operatorClient(client, service.operatorToken);
    await asOperator.list('m');
    const keys = [(await asOperator.open('Ann')).key, (await asOperator.open('Ben')).key];
    secrets.push(service.operatorToken, ...keys);
    for (let n = 0; n < ROUNDS; n += 1) {
      for (const [index, outcome] of ['yes', 'no'].entries()) {
        const idempotencyKey = `secret-retry-${n}-${index}`;
        secrets.push(idempotencyKey);
        const request = {
          key: keys[index] ?? '',
          body: { marketId: 'm', outcome, price: 0.5, quantity: 3 },
          headers: { 'idempotency-key': idempotencyKey },
        };
        keep(await client.request('POST', '/api/orders', request));
        keep(await client.request('POST', '/api/orders', request));
      }
    }
    const resolve = { key: service.operatorToken, body: { outcome: 'yes' } };
    keep(await client.request('POST', '/api/operator/markets/m/resolve', resolve));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  it('finds the whole journal good, and every answer in it', async () => {
    const { code, stdout, stderr } = await verify(service.baseUrl, '--save', 'journal.ndjson', ...withReceipts());
    expect([code, stderr]).to.deep.equal([0, '']);
    for (const receipt of receipts) expect(stdout).to.include(`receipt ${receipt} holds`);
    expect(new Set(receipts).size).to.be.greaterThan(2 * ROUNDS);
    // Now without a connection to the service.
    expect((await verify('journal.ndjson', ...withReceipts())).code).to.equal(0);
  });

  it('goes on later from what it kept', async () => {
    await operatorClient(client, service.operatorToken).list('later');
    const kept = readFileSync(path.join(folder, 'journal.ndjson'), 'utf8');
    expect((await verify(service.baseUrl, '--save', 'journal.ndjson')).code).to.equal(0);
    const grown = readFileSync(path.join(folder, 'journal.ndjson'), 'utf8');
    expect(grown.startsWith(kept)).to.equal(true);
    expect(grown.length).to.be.greaterThan(kept.length);
  });

  it('finds an event at fault that was changed after it was kept', async () => {
    const lines = readFileSync(path.join(folder, 'journal.ndjson'), 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes('"type":"OrderFilled"') && text.includes('\\"quantity\\":3'));
    const changed = lines.with(line, (lines[line] ?? '').replace('\\"quantity\\":3', '\\"quantity\\":4'));
    expect(changed).not.to.deep.equal(lines);
    writeFileSync(path.join(folder, 'changed.ndjson'), changed.join('\n'));
    const { code, stdout } = await verify('changed.ndjson');
    expect([code, stdout.split(': ')[1]]).to.deep.equal([1, `line ${line + 1}`]);
  });

  it('sees no secret', () => {
    const journal = readFileSync(path.join(folder, 'journal.ndjson'), 'utf8');
    for (const secret of secrets) expect(journal.includes(secret)).to.equal(false);
    expect(journal).not.to.match(/keyHash|fingerprint|salt|svc_live_/);
  });
});
