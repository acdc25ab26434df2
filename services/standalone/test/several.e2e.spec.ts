import { rebuilding } from '@paper/read-models';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeServices, startServices } from '@paper/testkit/exchange';
import type { RunningServices, ServiceProcess } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';

describeServices('several of each service that reads or projects', 'postgres', function () {
  this.timeout(120_000);
  let set: RunningServices;
  let client: CheckedClient;
  const keys: string[] = [];

  before(async () => {
    set = await startServices({
      journal: 'postgres',
      asRoles: true,
      count: { projector: 2, 'query-api': 2, 'stream-gateway': 2 },
    });
    client = await createCheckedClient(set.baseUrl);
    const asOperator = operatorClient(client, set.operatorToken);
    await asOperator.list('m');
    await asOperator.list('n');
    for (const name of ['Ann', 'Ben', 'Cyd', 'Dee', 'Eve', 'Fay']) keys.push((await asOperator.open(name)).key);
    await untilBothAnswer();
  });
  after(() => set.stop('SIGKILL'));

  const order = async (key: string): Promise<void> => {
    const body = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 1 };
    expect(await client.ok('POST', '/api/orders', { key, body })).to.include({ status: 'open' });
  };
  const openOrders = async (key: string): Promise<number> => {
    const { summary } = await client.ok<{ summary: { openOrders: number } }>('GET', '/api/portfolio', { key });
    return summary.openOrders;
  };

  /** How many reads of the markets each query API has answered. */
  const answered = (): Promise<number[]> =>
    Promise.all(
      set.of('query-api').map(async ({ operationUrl }) => {
        const text = await (await fetch(`${operationUrl}/metrics`)).text();
        const counts = text.matchAll(/^http_requests_total\{[^}]*route="\/api\/markets"[^}]*\} (\d+)$/gm);
        return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
      }),
    );

  /** The exchange serves as soon as one query API is ready; a second one then takes over some of its keys. */
  const untilBothAnswer = async (): Promise<void> => {
    for (let caller = 0; (await answered()).includes(0); caller += 1) {
      await client.request('GET', '/api/markets', { key: `svc_live_caller_${caller}` });
    }
  };

  it('answer all reads of a key in one process, which so counts them all for its limit', async () => {
    const started = await answered();
    for (const key of keys) {
      const before = await answered();
      for (let n = 0; n < 5; n += 1) await client.ok('GET', '/api/markets', { key });
      const after = await answered();
      const more = after.map((count, index) => count - (before[index] ?? 0));
      expect(more.sort((a, b) => a - b)).to.deep.equal([0, 5]);
    }
    const ended = await answered();
    expect(ended.reduce((sum, count) => sum + count, 0)).to.equal(
      started.reduce((sum, count) => sum + count, 0) + 5 * keys.length,
    );
  });

  it('take the cursor of one query API in every other, also after a rebuild', async () => {
    const [first, second] = set.of('query-api').map(({ url }) => url ?? '');
    const page = async (url: string | undefined, path: string) => {
      const answer = await fetch(`${url}${path}`);
      const markets = (await answer.json()) as readonly { readonly id: string }[];
      const next = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      return { status: answer.status, ids: markets.map(({ id }) => id), next };
    };
    const { ids, next = '' } = await page(first, '/api/markets?limit=1');
    expect(ids).to.deep.equal(['n']);
    const rest = { status: 200, ids: ['m'], next: undefined };
    for (const url of [first, second]) expect(await page(url, next), url).to.deep.equal(rest);
    const journal = await set.openJournal();
    try {
      await rebuilding.rebuild({ connectionString: set.env['DATABASE_URL'] ?? '', journal });
    } finally {
      await journal.close();
    }
    for (const url of [first, second]) expect(await page(url, next), `${url}, rebuilt`).to.deep.equal(rest);
  });

  it('go on without the projector that leads: its standby takes over, and reads are fresh', async () => {
    const leads = async ({ operationUrl }: ServiceProcess): Promise<boolean> =>
      /^lease_held\{lease="projector:[^"]+"\} 1$/m.test(await (await fetch(`${operationUrl}/metrics`)).text());
    const [first, second] = set.of('projector');
    if (first === undefined || second === undefined) throw new Error('there are not two');
    const leader = (await leads(first)) ? first : second;
    const standby = leader === first ? second : first;
    expect(await leads(standby)).to.equal(false);
    expect((await fetch(`${standby.operationUrl}/health/ready`)).status).to.equal(200);
    await leader.stop('SIGKILL');
    const [key = ''] = keys;
    const before = await eventually(() => openOrders(key));
    await order(key);
    expect(await eventually(() => openOrders(key))).to.equal(before + 1);
    expect(await leads(standby)).to.equal(true);
  });

  it('go on without one query API and one gateway', async () => {
    await Promise.all([set.of('query-api')[0]?.stop('SIGKILL'), set.of('stream-gateway')[0]?.stop('SIGKILL')]);
    for (const key of keys) {
      const before = await eventually(() => openOrders(key));
      await order(key);
      expect(await eventually(() => openOrders(key))).to.equal(before + 1);
    }
    const watcher = await eventually(async () => {
      const answer = await fetch(`${set.baseUrl}/api/stream`);
      if (answer.status !== 200) throw new Error(`${answer.status}`);
      return eventBlocks(answer);
    });
    for (let n = 0; n < 3; n += 1) expect(await watcher.next()).to.match(/^id: \d+\ndata: \{/m);
    await watcher.leave();
  });
});

/** Repeats a refused request: it takes a moment until a killed process is noticed. */
async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('503')) throw error;
      await sleep(50);
    }
  }
}
