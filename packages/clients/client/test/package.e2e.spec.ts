import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually, longTest } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { createClient, createOperatorClient } from '../src/index.ts';

const run = promisify(execFile);
const PACKAGE = path.resolve(import.meta.dirname, '..');
const ROOT = path.resolve(PACKAGE, '../../..');
const MARKET = 'examples';
const TAKEN = 'examples-of-a-taker';

describe('the package of the client, and its examples', function () {
  this.timeout(120_000);
  let service: RunningStandalone;
  let folder: string;
  let keys: Readonly<Record<'maker' | 'first' | 'owner' | 'forecaster' | 'taker', string>>;
  const children: ChildProcess[] = [];

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-client-'));
    service = await startStandalone();
    const operator = createOperatorClient({ baseUrl: service.baseUrl, key: service.operatorToken });
    for (const id of [MARKET, TAKEN]) {
      await operator.createMarket({
        id,
        title: 'Do the examples run?',
        ticker: 'EX',
        companySlug: 'examples',
        sector: 'technology',
        category: 'tests',
        settlementSource: 'this test',
        prior: '0.5',
        closesAt: '2099-01-01T00:00:00Z',
      });
    }
    await operator.call('recordSignal', {
      body: {
        externalId: 'a',
        source: 'This test',
        headline: 'The examples\u200f run',
        citationUrl: 'https://example.org/signal',
        publishedAt: new Date().toISOString(),
        marketId: MARKET,
        fairProb: 0.9,
      },
    });
    const open = async (displayName: string) => (await operator.openAccount({ displayName })).apiKey.rawKey ?? '';
    // Rests behind the maker, which has no quotes for a moment when it moves them.
    const standing = createClient({ baseUrl: service.baseUrl, key: await open('Standing') });
    await standing.createOrder({ marketId: MARKET, outcome: 'no', price: 0.4, quantity: 400 });
    const names = ['Maker', 'First', 'Owner', 'Forecaster', 'Taker'];
    const [maker = '', first = '', owner = '', forecaster = '', taker = ''] = await Promise.all(names.map(open));
    keys = { maker, first, owner, forecaster, taker };
  });
  after(async () => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await service.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts an example, which uses the installed package; `output` is what it has printed so far. */
  const example = (name: string, key: string, env: Readonly<Record<string, string>> = {}) => {
    const source = readFileSync(path.join(PACKAGE, `examples/${name}.ts`), 'utf8');
    writeFileSync(path.join(folder, `${name}.mjs`), transformSync(source, { loader: 'ts' }).code);
    const child = spawn(process.execPath, [`${name}.mjs`], {
      cwd: folder,
      env: { ...process.env, PAPER_BASE_URL: service.baseUrl, PAPER_API_KEY: key, MARKET, ...env },
    });
    children.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => code as number | null);
    return { child, output: () => text, ended };
  };
  const inFolder = async (program: string, ...args: string[]): Promise<string> =>
    (await run(program, args, { cwd: folder, env: { ...process.env, PAPER_API_KEY: keys.first } })).stdout;

  it('makes a market, in which the README’s lines fill an order, a fleet trades, and a forecaster follows a signal', async () => {
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    await inFolder('npm', 'pack', '--silent', `${service.baseUrl}/clients/paper-trading-client.tgz`);
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    await inFolder('npm', 'install', '--silent', '--no-audit', '--no-fund', `./paper-trading-client-${version}.tgz`);
    const maker = example('market-maker', keys.maker, { FILLS: '1' });
    await eventually('quotes', () => maker.output().includes('quotes 0.'), { withinMs: 30_000 });

    const readme = readFileSync(path.join(folder, 'node_modules/paper-trading-client/README.md'), 'utf8');
    const code = /^```js\n([^]*?)^```$/m.exec(readme)?.[1] ?? expect.fail('the README has no example');
    expect(code.trim().split('\n').length).to.be.at.most(10);
    writeFileSync(path.join(folder, 'first-order.mjs'), code.replace('http://127.0.0.1:4000', service.baseUrl));
    expect(await inFolder(process.execPath, 'first-order.mjs')).to.match(
      /^filled at 0\.\d+ \{[^]*hash: '[0-9a-f]{64}'/,
    );

    const [fleet, forecaster] = [example('fleet', keys.owner), example('forecaster', keys.forecaster, { TRADES: '1' })];
    expect([await fleet.ended, await forecaster.ended], fleet.output() + forecaster.output()).to.deep.equal([0, 0]);
    expect(fleet.output()).to.match(/^Reader buys: its key says no/m);
    expect(fleet.output()).to.match(/^Buyer buys for 4 dollars: filled, \d filled$/m);
    expect(fleet.output()).to.match(/^Buyer buys for 50 dollars: its mandate says no/m);
    expect(fleet.output()).to.match(/^Seller buys: its mandate says no/m);
    expect(fleet.output()).to.match(/^the fleet's first fill: \d+ at 0\.\d+/m);
    expect(forecaster.output()).to.match(/^The examples\ufffd run \(This test, https:\/\/example\.org\/signal\)$/m);
    expect(forecaster.output()).to.match(/it bought \d+ yes at 0\.[56]/);
    expect(await maker.ended, maker.output()).to.equal(0);
    expect(maker.output()).to.match(/^filled .*\n(.*\n)*ended: \d orders cancelled$/m);
  });

  it('has a taker, which buys after a move and sells again', async () => {
    const settings = { TRADES: '1', LOOK_SECONDS: '0.1', HOLD_SECONDS: '1', MARKET: TAKEN };
    const taker = example('taker', keys.taker, settings);
    const standing = createClient({ baseUrl: service.baseUrl, key: keys.first });
    const order = { marketId: TAKEN, postOnly: true, quantity: 100 } as const;
    let price = 0.4;
    // Each step is a move; the first ones may come before it looks.
    await eventually(
      'a purchase',
      async () => {
        price = price > 0.8 ? 0.4 : price + 0.05;
        await standing.cancelAllOrders({ marketId: TAKEN });
        await standing.createOrders([
          { ...order, outcome: 'yes', price: price.toFixed(2) },
          { ...order, outcome: 'no', price: (0.98 - price).toFixed(2) },
        ]);
        return taker.output().includes('buy ');
      },
      { withinMs: 30_000 },
    );
    expect(await taker.ended, taker.output()).to.equal(0);
    expect(taker.output()).to.match(/^buy \d+ (?:yes|no) at 0\.\d+$(?:\n.*)*^sell \d+ .*$(?:\n.*)*^ended: 1 times/m);
  });

  it('has types that a strict project takes, without a check left out', async function () {
    longTest(this);
    const source = `
      import { createClient, OutcomeUnknown } from 'paper-trading-client';
      import type { Api } from 'paper-trading-client';
      const client = createClient({ baseUrl: 'http://127.0.0.1:4000', decimals: 'string' });
      export async function main(): Promise<string> {
        const order: Api.Order<string> = await client.createOrder({ marketId: 'm', outcome: 'yes', price: '0.41', quantity: 1 });
        for await (const event of client.watchAccount()) if (event.type === 'fill') return event.fill.price;
        for await (const market of client.fetchMarkets()) if (market.status === 'active') return market.probability;
        return order.price;
      }
      // @ts-expect-error An order needs an outcome.
      export const wrong = () => client.createOrder({ marketId: 'm' }).catch((error: unknown) => error instanceof OutcomeUnknown);
    `;
    writeFileSync(path.join(folder, 'consumer.ts'), source);
    const compilerOptions = {
      ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', types: [] },
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    const { stdout } = await run(tsc, ['-p', folder]).catch((error: unknown) => error as { readonly stdout: string });
    expect(stdout).to.equal('');
  });
});
