import { createLogger } from '@paper/runtime';
import { expect } from 'chai';
import { httpHarness, listing } from './http-harness.ts';
import type { HttpHarness } from './http-harness.ts';

describe('the log of operators', () => {
  const lines: Record<string, unknown>[] = [];
  let harness: HttpHarness;
  before(async () => {
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
    harness = await httpHarness({ logger: createLogger({ name: 'test', level: 'info' }, { write }) });
  });
  after(() => harness.close());
  beforeEach(() => void (lines.length = 0));

  const market = listing('m');
  const acted = () =>
    lines
      .filter(({ operator }) => operator !== undefined)
      .map(({ level, operator, command, target, reason }) => [level, operator, command, target, reason]);

  it('has a line of each action, with who, which command and on what', async () => {
    expect((await harness.operate('POST', '/api/operator/markets', market)).status).to.equal(200);
    expect((await harness.operate('POST', '/api/operator/markets/m/pause')).status).to.equal(200);
    expect((await harness.operate('POST', '/api/operator/markets/none/close')).status).to.be.above(399);
    expect(acted()).to.deep.equal([
      ['info', 'ops', 'ListMarket', 'm', undefined],
      ['info', 'ops', 'PauseMarket', 'm', undefined],
      ['info', 'ops', 'CloseMarket', 'none', 'market_not_found'],
    ]);
    expect(lines.find(({ command }) => command === 'PauseMarket')).to.include({ replayed: false });
  });

  it('has a line of each item of a batch, and none of what keys do', async () => {
    const commands = [
      { op: 'activate-market', id: 'm' },
      { op: 'open-account', displayName: 'Ann Smith' },
    ];
    const { body } = await harness.operate('POST', '/api/operator/batch', { commands });
    const [, opened] = body['results'] as readonly {
      readonly result: { account: { id: string }; apiKey: { rawKey: string } };
    }[];
    const { account, apiKey } = opened!.result;
    const order = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 5 };
    expect((await harness.call('POST', '/api/orders', { key: apiKey.rawKey, body: order })).status).to.equal(200);
    expect(acted()).to.deep.equal([
      ['info', 'ops', 'ActivateMarket', 'm', undefined],
      ['info', 'ops', 'OpenAccount', account.id, undefined],
    ]);
    expect(JSON.stringify(lines)).not.to.match(/Ann Smith|svc_live/);
  });
});
