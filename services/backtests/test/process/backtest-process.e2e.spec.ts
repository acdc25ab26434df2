import { expect } from 'chai';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withClient } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import type { BacktestMessage, BacktestStart, LiveLoad } from '../../src/protocol.ts';
import { at, backtestStart, buy, clientOf } from './running-backtest.ts';

const ENTRY = path.resolve(import.meta.dirname, '../../src/process/backtest-process.ts');

interface RunningProcess {
  readonly child: ChildProcess;
  readonly client: ReturnType<typeof clientOf>;
  readonly options: BacktestStart;
}

describe('the process of a backtest', function () {
  this.timeout(60_000);

  const withProcess = async (use: (running: RunningProcess) => Promise<void>): Promise<void> => {
    const { close, options } = await backtestStart({ participants: 2 });
    const child = fork(ENTRY, [], { execArgv: ['--import', 'tsx'] });
    let end = (): void => undefined;
    try {
      const messages: BacktestMessage[] = [];
      child.on('message', (message) => void messages.push(message as BacktestMessage));
      child.send(options);
      await eventually('it runs', () => messages.some(({ state }) => state === 'running'));
      const keys = messages.flatMap((message) => message.keys ?? []);
      const client = clientOf({ keys, socket: options.socket });
      end = client.end;
      await use({ child, client, options });
    } finally {
      child.kill('SIGKILL');
      end();
      await close();
    }
  };

  it('begins with its first message, and removes its database when it is told to end', () =>
    withProcess(async ({ child, client: { call }, options }) => {
      const exists = (): Promise<boolean> =>
        withClient({ connectionString: options.databaseUrl }, async (client) => {
          const { rowCount } = await client.query('select from pg_database where datname = $1', [options.database]);
          return rowCount === 1;
        });
      expect(await exists()).to.equal(true);
      expect((await call(0, 'POST', '/api/orders', buy(1))).body).to.deep.include({ status: 'filled' });
      const [first, second] = await Promise.all(
        [0, 1].map((turn) => call(turn, 'POST', '/api/clock/advance', { until: at(10), wake: [] })),
      );
      expect([first?.body['now'], second?.body['now']]).to.deep.equal([at(10), at(10)]);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
      expect(await exists()).to.equal(false);
    }));

  it('rests for most of the time while the live exchange is busy', async function () {
    if (!existsSync('/proc/self/schedstat')) this.skip();
    await withProcess(async ({ child, client: { call } }) => {
      // The first number is the time that the main thread has had a processor, in ns (the kernel's sched-stats.rst).
      const usedMs = (): number => Number(readFileSync(`/proc/${child.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
      const advance = async (until: string): Promise<number> => {
        const [beforeMs, begunMs] = [usedMs(), performance.now()];
        await Promise.all([0, 1].map((turn) => call(turn, 'POST', '/api/clock/advance', { until, wake: [] })));
        return (usedMs() - beforeMs) / (performance.now() - begunMs);
      };
      child.send({ isLiveBusy: true } satisfies LiveLoad);
      // The message may arrive only in the midst of the first call.
      await advance(at(10));
      expect(await advance(at(60))).to.be.below(0.25);
    });
  });
});
