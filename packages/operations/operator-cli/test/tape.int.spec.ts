import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { longTest, runCommand } from '@paper/testkit';
import { expect } from 'chai';

const CSV = 'time,market,price,size,side\n2026-01-05T15:00:00Z,rain,0.50,10,yes\n';

describe('npm run tape', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'tape-command-'));
  const [trades, noise] = [path.join(folder, 'trades.csv'), path.join(folder, 'noise.csv')];
  writeFileSync(trades, `${CSV}${'2026-01-05T15:00:01Z,rain,0.52,5,\n'.repeat(10)}nonsense\n`);
  writeFileSync(noise, 'nonsense\n');
  after(() => rmSync(folder, { recursive: true }));

  const sha256 = '7217526f576de87d8353b6da1410744ea5f929d923080a31d5aaddb89173ba7a';
  const refusal =
    "noise.csv is refused: none of its lines is of a known format (Kalshi's NDJSON, a journal of this exchange, trades alone): 1 × no message of the format (first: noise.csv, line 1).";

  it('prints what a tape holds and what is skipped, and ends with 1 where another is refused', async () => {
    const { code, output } = await runCommand(['tape', trades, noise], folder);
    expect(code).to.equal(1);
    expect(output.split('\n')).to.deep.equal([
      'trades.csv (trades, synthetic)',
      '  market   rain, tick 0.01, prior 0.5, closes at 2099-01-01T00:00:00.000Z',
      '  from     2026-01-05T15:00:00.000Z',
      '  to       2026-01-05T15:00:01.000Z',
      '  events   22, of 13 lines; 1 lines are about something else',
      '  trades   0 with the decrease of their level, 11 alone; side inferred of 1, unknown of 9',
      `  sha256   ${sha256}`,
      '  skipped  1 × no message of the format (first: trades.csv, line 13)',
      '',
      refusal,
    ]);
  });

  it('prints the same as JSON, and ends with 0 where all can be played', async () => {
    const { code, output } = await runCommand(['tape', trades, '--json'], folder);
    expect(code).to.equal(0);
    expect(JSON.parse(output)).to.deep.equal({
      tapes: [
        {
          id: 'trades.csv',
          format: 'trades',
          markets: [{ id: 'rain', title: 'rain', closesAt: '2099-01-01T00:00:00.000Z', tickSize: 0.01, prior: 0.5 }],
          from: '2026-01-05T15:00:00.000Z',
          to: '2026-01-05T15:00:01.000Z',
          events: 22,
          bytes: 415,
          sha256,
          synthetic: true,
          skipped: [{ reason: 'no_message', count: 1, firstFile: 'trades.csv', firstLine: 13 }],
          lines: { read: 13, other: 1, skipped: 1 },
          trades: { joined: 0, alone: 11, inferred: 1, noSide: 9 },
        },
      ],
      refused: [],
    });
  });

  it('reads a tape of 50 MB within 72 MB of heap (LONG_TESTS=1)', async function () {
    longTest(this);
    this.timeout(300_000);
    const lines = Array.from({ length: 2_000 }, (_, index) =>
      JSON.stringify({
        recv_ms: 1_786_410_915_579,
        event: {
          type: 'orderbook_delta',
          sid: 1,
          seq: index,
          msg: {
            market_ticker: 'KXGOLD15M-26AUG102130-30',
            market_id: '9b0f6b43-5b68-4f9f-9f02-9a2d1b8ac1a1',
            price_dollars: '0.4800',
            delta_fp: index % 2 === 0 ? '40.00' : '-40.00',
            side: 'no',
            ts_ms: 1_786_410_915_566,
          },
        },
      }),
    );
    const member = gzipSync(`${lines.join('\n')}\n`);
    const large = path.join(folder, 'large.ndjson.gz');
    writeFileSync(large, Buffer.concat(Array.from({ length: 100 }, () => member)));
    const settings = { NODE_OPTIONS: '--max-old-space-size=72' };
    const { code, output } = await runCommand(['tape', large, '--json'], folder, settings);
    expect(code, output).to.equal(0);
    expect((JSON.parse(output) as { tapes: [{ events: number }] }).tapes[0].events).to.equal(200_000);
  });
});
