import { readFileSync } from 'node:fs';
import path from 'node:path';
import { longTest, runCommand } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import type { Api } from 'paper-trading-client';

const CLIENTS = path.resolve(import.meta.dirname, '../../../clients');
const inTypeScript = (name: string) => [process.execPath, '--import', 'tsx', `${CLIENTS}/client/examples/${name}.ts`];
const inPython = (name: string) => ['python3', `${CLIENTS}/client-python/examples/${name}.py`];

describe('npm run backtest', function () {
  this.timeout(600_000);
  let service: RunningStandalone;

  before(async () => {
    service = await startStandalone({ env: { DEMO: 'on' } });
  });
  after(() => service.stop());

  /** Plays the first minutes of the tape that every service has. */
  const play = (minutes: number, options: readonly string[], command: readonly string[], tape = 'made-news') => {
    const to = new Date(Date.UTC(2026, 0, 5, 15, minutes)).toISOString();
    const settings = { PYTHONPATH: `${CLIENTS}/client-python/src` };
    return runCommand(['backtest', tape, '--to', to, ...options, '--', ...command], service.dataDir, settings);
  };
  const reportOf = async (minutes: number, command: readonly string[]): Promise<Api.BacktestReport> => {
    const { code, output } = await play(minutes, ['--json'], command);
    expect(code, output).to.equal(0);
    const line = output.split('\n').find((one) => one.startsWith('{"reports"')) ?? expect.fail(output);
    const { reports } = JSON.parse(line) as { readonly reports: readonly Api.BacktestReport[] };
    return reports[0] ?? expect.fail('no report');
  };

  it('plays a tape with a bot, prints what came of it, and writes a page', async () => {
    const page = path.join(service.dataDir, 'results.html');
    const { code, output } = await play(12, ['--out', page], inTypeScript('taker'));
    expect(code, output).to.equal(0);
    expect(output).to.match(/^buy 20 no at 0\.\d+$/m);
    expect(output).to.match(/made-news \(synthetic\) *│ *-?\d+\.\d\d *│/);
    expect(output).to.match(/^made-news: \S+, journal [0-9a-f]{64}$/m);
    expect(readFileSync(page, 'utf8')).to.match(/<h2>made-news.*<path d="M[^]*<td>buy no<\/td><td>taker<\/td>/s);
  });

  it('a bot of the examples plays the same each time, in both languages', async function () {
    longTest(this);
    for (const command of [inTypeScript('market-maker'), inPython('market_maker')]) {
      const [one, other] = [await reportOf(2, command), await reportOf(2, command)];
      expect(one.reproducible).to.equal(true);
      expect(one.journal).to.deep.equal(other.journal);
      expect(one.participants[0]?.turnover).to.be.at.least(0);
    }
  });

  it('all bots of the examples play an hour the same each time, in both languages', async function () {
    longTest(this);
    const bots = ['market-maker', 'taker', 'forecaster'];
    for (const command of [...bots.map(inTypeScript), ...bots.map((bot) => inPython(bot.replace('-', '_')))]) {
      const [one, other] = [await reportOf(60, command), await reportOf(60, command)];
      expect(one.journal, command.join(' ')).to.deep.equal(other.journal);
      expect(one.participants[0]?.fills.length, command.join(' ')).to.be.at.least(1);
    }
  });

  it('gives the report of a bot that was left out, and says that it was', async function () {
    longTest(this);
    // It fails while the tape still plays.
    const bot = [process.execPath, '-e', 'setTimeout(() => process.exit(1), 1_500)'];
    const { code, output } = await play(60, ['--patience-seconds', '1'], bot);
    expect(code, output).to.equal(0);
    expect(output).to.match(/^Not reproducible, since a bot was left out: made-news$/m);
  });

  it('ends with 1 where a bot fails or a tape is unknown, and plays the others', async function () {
    longTest(this);
    const failing = await play(1, [], [process.execPath, '-e', 'process.exit(3)']);
    expect(failing.code, failing.output).to.equal(1);
    expect(failing.output).to.match(/made-news: the bot .*3.* before the end of the tape/);
    const missing = await play(1, [], [process.execPath, '-e', '0'], 'no-such-tape');
    expect(missing.code, missing.output).to.equal(1);
    expect(missing.output).to.match(/no-such-tape/);
    const none = await play(1, [], ['no-such-program']);
    expect(none.output).to.match(/could not be started/);
    const pattern = await play(1, [], [process.execPath, '-e', '0'], 'made-*');
    expect(pattern.code, pattern.output).to.equal(0);
    expect(pattern.output).to.match(/made-news \(synthetic\)/);
  });
});
