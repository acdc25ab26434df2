import { expect } from 'chai';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { withClient } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import type { BacktestMessage } from '../../src/protocol.ts';
import { at, backtestStart, buy, clientOf } from './running-backtest.ts';

const ENTRY = path.resolve(import.meta.dirname, '../../src/process/backtest-process.ts');

describe('the process of a backtest', function () {
  this.timeout(60_000);

  it('begins with its first message, and removes its database when it is told to end', async () => {
    const { close, options } = await backtestStart({ participants: 2 });
    const { call, end } = clientOf(options);
    const child = fork(ENTRY, [], { execArgv: ['--import', 'tsx'] });
    try {
      const exists = (): Promise<boolean> =>
        withClient({ connectionString: options.databaseUrl }, async (client) => {
          const { rowCount } = await client.query('select from pg_database where datname = $1', [options.database]);
          return rowCount === 1;
        });
      const messages: BacktestMessage[] = [];
      child.on('message', (message) => void messages.push(message as BacktestMessage));
      child.send(options);
      await eventually('it runs', () => messages.some(({ kind }) => kind === 'running'));
      expect(await exists()).to.equal(true);
      expect((await call(0, 'POST', '/api/orders', buy(1))).body).to.deep.include({ status: 'filled' });
      const [first, second] = await Promise.all(
        [0, 1].map((turn) => call(turn, 'POST', '/api/clock/advance', { until: at(10), wake: [] })),
      );
      expect([first?.body['now'], second?.body['now']]).to.deep.equal([at(10), at(10)]);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
      expect(await exists()).to.equal(false);
    } finally {
      child.kill('SIGKILL');
      end();
      await close();
    }
  });
});
