import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { longTest } from '@paper/testkit';
import { describeClientOfExchange, prepareTrading } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { expect } from 'chai';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');
const MARKET = 'generated-code';
/** The last version of orval that runs on Node 20. Its 128 MB are no dependency of this repository. */
const ORVAL = 'orval@7.13.2';
const run = promisify(execFile);

describeClientOfExchange('code that others generate from the served document', function (start) {
  this.timeout(120_000);
  let service: RunningExchange;
  let folder: string;
  let key = '';

  before(async () => {
    service = await start();
    [key = ''] = await prepareTrading(service, { markets: [MARKET], accounts: 1 });
    folder = mkdtempSync(path.join(tmpdir(), 'generated-'));
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  });

  /** Compiles a program and what it imports, and gives what it prints as JSON. */
  const compileAndRun = async (text: string): Promise<unknown> => {
    writeFileSync(path.join(folder, 'program.ts'), text);
    const program = ts.createProgram([path.join(folder, 'program.ts')], {
      strict: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
    });
    program.emit();
    const found = ts.getPreEmitDiagnostics(program).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
    expect(found).to.deep.equal([]);
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder });
    return JSON.parse(stdout);
  };

  it('places an order by the types of openapi-typescript, without what has a default', async () => {
    // The command of docs/trade/clients.md.
    const openapiTypescript = path.join(root, 'node_modules/.bin/openapi-typescript');
    const args = [`${service.baseUrl}/api/openapi`, '--default-non-nullable=false', '--output', 'schema.d.ts'];
    await run(openapiTypescript, args, { cwd: folder });
    const answer = await compileAndRun(`
import type { paths } from './schema.js';
type PlaceOrder = paths['/api/orders']['post'];
const body: PlaceOrder['requestBody']['content']['application/json'] = {
  marketId: '${MARKET}', outcome: 'yes', side: 'buy', price: 0.1, quantity: 2,
};
const answer = await fetch('${service.baseUrl}/api/orders', {
  method: 'POST',
  headers: { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const order: PlaceOrder['responses']['200']['content']['application/json'] = await answer.json();
console.log(JSON.stringify({ status: order.status, quantity: order.quantity }));
`);
    expect(answer).to.deep.equal({ status: 'open', quantity: 2 });
  });

  it('places an order by the client of orval', async function () {
    longTest(this);
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ORVAL], { cwd: folder });
    writeFileSync(
      path.join(folder, 'orval.config.cjs'),
      `module.exports = { paper: {
        input: { target: '${service.baseUrl}/api/openapi' },
        output: { target: './orval.ts', client: 'fetch', mode: 'single', baseUrl: '${service.baseUrl}' },
      } };`,
    );
    await run(path.join(folder, 'node_modules/.bin/orval'), ['--config', './orval.config.cjs'], { cwd: folder });
    const answer = await compileAndRun(`
import { placeOrder } from './orval.js';
const order = { marketId: '${MARKET}', outcome: 'yes', side: 'buy', price: 0.1, quantity: 3 } as const;
const answer = await placeOrder(order, { headers: { Authorization: 'Bearer ${key}' } });
if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
console.log(JSON.stringify({ status: answer.data.status, quantity: answer.data.quantity }));
`);
    expect(answer).to.deep.equal({ status: 'open', quantity: 3 });
  });
});
