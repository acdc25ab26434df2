import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { marketBody } from '@paper/testkit/http';
import { Build } from './build.ts';

/**
 * Tests an upgrade: a build of an earlier commit takes orders, a snapshot and more orders. On the same data folder the
 * present build must then have every account, order and key, repeat the former build's answer, and trade on. The audit
 * must find no fault. Option: the former commit (default 91297f9, the last with rules version 1).
 */
const [commit = '91297f9'] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '../../../../..');
const ORDERS = 200;
const MARKETS = 4;

interface Order {
  readonly id: string;
}
interface Trader {
  readonly key: string;
  readonly orders: Order[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'paper-upgrade-'));
const sources = path.join(folder, 'former');
const dataDir = path.join(folder, 'data');
mkdirSync(dataDir, { mode: 0o700 });
execFileSync('git', ['worktree', 'add', '--quiet', '--detach', sources, commit], { cwd: root, stdio: 'inherit' });
const [former, own] = [new Build(sources, dataDir), new Build(root, dataDir)];
try {
  console.log(`Build of ${commit}: starting (it installs its dependencies) …`);
  await former.start();
  await listMarkets(former);
  const traders = [await openAccount(former, 'buyer'), await openAccount(former, 'seller')];
  await trade(former, traders, 'before the snapshot');
  const snapshot = await former.operate('snapshot');
  assert.equal(snapshot.code, 0, snapshot.output);
  await trade(former, traders, 'after the snapshot');
  const before = await pictureOf(former, traders);
  await former.stop();

  console.log('This build: starting on the same data folder …');
  await own.start();
  assert.deepEqual(await pictureOf(own, traders), before, 'accounts and orders are what they were');
  await sendAgain(own, traders);
  await trade(own, traders, 'after the upgrade');
  const audit = await own.operate('audit', 'verify');
  assert.equal(audit.code, 0, audit.output);
  await own.stop();
  await own.start();
  const last = await own.operate('audit', 'verify');
  assert.equal(last.code, 0, last.output);
  await own.stop();
  console.log(
    `${last.output}\nUpgraded from ${commit}: ${traders.flatMap(({ orders }) => orders).length} orders, none lost.`,
  );
} finally {
  for (const build of [former, own]) await build.stop().catch((error: unknown) => console.error(error));
  execFileSync('git', ['worktree', 'remove', '--force', sources], { cwd: root });
  rmSync(folder, { recursive: true, force: true });
}

async function listMarkets(build: Build): Promise<void> {
  for (let n = 0; n < MARKETS; n += 1) {
    await build.ask('POST', '/api/operator/markets', build.operatorToken, marketBody(`upgrade-${n}`));
  }
}

async function openAccount(build: Build, displayName: string): Promise<Trader> {
  const body = { displayName, permissions: ['view', 'trade', 'master'] };
  const opened = await build.ask<{ readonly apiKey: { readonly rawKey: string } }>(
    'POST',
    '/api/operator/accounts',
    build.operatorToken,
    body,
  );
  return { key: opened.apiKey.rawKey, orders: [] };
}

/** Places orders on both sides in turn, so that some trade and some rest. Each order has its own Idempotency-Key. */
async function trade(build: Build, traders: readonly Trader[], when: string): Promise<void> {
  for (let n = 0; n < ORDERS; n += 1) {
    const side = n % 2;
    const trader = traders[side];
    if (trader === undefined) throw new Error('there are two');
    trader.orders.push(await build.ask<Order>('POST', '/api/orders', trader.key, orderOf(n), `${when} ${n}`));
  }
  console.log(`  ${ORDERS} orders ${when}`);
}

function orderOf(n: number): object {
  const outcome = n % 2 === 0 ? 'yes' : 'no';
  const price = (35 + (n % 13) + (n % 2 === 0 ? 0 : 8)) / 100;
  return { marketId: `upgrade-${n % MARKETS}`, orderType: 'limit', outcome, price, quantity: 1 + (n % 7), side: 'buy' };
}

/** Reads everything that both accounts can see of themselves. An upgrade must not change this data. */
async function pictureOf(build: Build, traders: readonly Trader[]): Promise<unknown> {
  return Promise.all(
    traders.map(async ({ key }) => {
      const { cash, equity } = await build.ask<Readonly<Record<string, unknown>>>('GET', '/api/portfolio', key);
      const orders = await build.ask<readonly (Order & Readonly<Record<string, unknown>>)[]>(
        'GET',
        '/api/orders?limit=500',
        key,
      );
      const kept = orders.map(({ id, status, price, quantity, filledQty }) => ({
        filledQty,
        id,
        price,
        quantity,
        status,
      }));
      return { cash, equity, orders: kept.sort((a, b) => (a.id < b.id ? -1 : 1)) };
    }),
  );
}

/** Repeats a command as a client that has lost the former build's answer, and expects the same order. */
async function sendAgain(build: Build, traders: readonly Trader[]): Promise<void> {
  for (const n of [ORDERS - 2, ORDERS - 1]) {
    const trader = traders[n % 2];
    const again = await build.ask<Order>(
      'POST',
      '/api/orders',
      trader?.key ?? '',
      orderOf(n),
      `after the snapshot ${n}`,
    );
    assert.equal(again.id, trader?.orders.at(-1)?.id, 'an answer that was given before the upgrade is given again');
  }
}
