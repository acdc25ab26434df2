import { expect } from 'chai';
import { createClient } from '../src/index.ts';
import { failure, json, scriptedServer } from './scripted-server.ts';
import type { Step } from './scripted-server.ts';

describe('a backtest from its start to its report', () => {
  const server = scriptedServer();
  const client = () => createClient({ baseUrl: server.baseUrl, key: 'k' });
  const requests = () => server.seen.map(({ request }) => request);
  const started: Step = (response, seen) => {
    const participants = [{ accountId: 'a', apiKey: 'svc_live_a' }];
    const baseUrl = `${server.baseUrl}/backtest/b`;
    json(200, { id: 'b', baseUrl, participants, clock: '2026-01-05T15:00:00.000Z', state: 'running' })(response, seen);
  };
  const leftOut = json(403, { error: 'late', code: 'left_out' });

  it('where its participant was left out, waits until it has ended without it, and gives its report', async () => {
    const states = ['running', 'ended'].map((state) => json(200, { id: 'b', state }));
    server.script = [started, leftOut, ...states, json(200, { id: 'b', reproducible: false })];
    const report = await client().backtest({ tape: 'made-news' }, () => undefined);
    expect(report).to.deep.equal({ id: 'b', reproducible: false });
    expect(requests()).to.deep.equal([
      'POST /api/backtests',
      'GET /backtest/b/api/clock',
      'GET /api/backtests/b',
      'GET /api/backtests/b',
      'GET /api/backtests/b/report',
    ]);
  });

  it('where it fails meanwhile, throws what the report is refused with', async () => {
    const failed = json(200, { id: 'b', state: 'failed', why: 'its process ended' });
    const refused = json(400, { error: 'There is nothing to report', code: 'backtest_not_ended' });
    server.script = [started, leftOut, failed, refused];
    const error = await failure(client().backtest({ tape: 'made-news' }, () => undefined));
    expect(error).to.include({ code: 'backtest_not_ended' });
  });

  it('where any other refusal ends its play, is deleted', async () => {
    server.script = [started, json(403, { error: 'no', code: 'forbidden' }), json(200, { ok: true })];
    const error = await failure(client().backtest({ tape: 'made-news' }, () => undefined));
    expect(error).to.include({ code: 'forbidden' });
    expect(requests().at(-1)).to.equal('DELETE /api/backtests/b');
  });
});
