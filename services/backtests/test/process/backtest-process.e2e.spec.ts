import { expect } from 'chai';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { withClient } from '@paper/runtime';
import { eventually, schemasByDatabase } from '@paper/testkit';
import type { BacktestMessage } from '../../src/protocol.ts';
import { at, backtestStart, buy, clientOf } from './running-backtest.ts';

const ENTRY = path.resolve(import.meta.dirname, '../../src/process/backtest-process.ts');

describe('the process of a backtest', function () {
  this.timeout(60_000);

  it('begins with its first message, creates its database, and has closed it when it was told to end', async () => {
    const { close, options } = await backtestStart({ participants: 2 });
    const { call, end } = clientOf(options);
    const { database, databaseUrl } = options;
    const child = fork(ENTRY, [], { execArgv: ['--import', 'tsx'] });
    try {
      const messages: BacktestMessage[] = [];
      child.on('message', (message) => void messages.push(message as BacktestMessage));
      child.send(options);
      await eventually('it runs', () => messages.some(({ kind }) => kind === 'running'));
      expect((await schemasByDatabase(databaseUrl, database)).get(database)).to.include('read_models');
      expect((await call(0, 'POST', '/api/orders', buy(1))).body).to.deep.include({ status: 'filled' });
      const [first, second] = await Promise.all(
        [0, 1].map((turn) => call(turn, 'POST', '/api/clock/advance', { until: at(10), wake: [] })),
      );
      expect([first?.body['now'], second?.body['now']]).to.deep.equal([at(10), at(10)]);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
      // Nobody is connected to it, so the service can drop it even without force.
      await withClient({ connectionString: databaseUrl }, (client) => client.query(`drop database ${database}`));
    } finally {
      child.kill('SIGKILL');
      end();
      await close();
    }
  });
});
