import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from 'paper-trading-client';
import { startStandalone } from '@paper/testkit/exchange';
import type { ServiceFile } from '@paper/testkit/exchange';
import { figure, megabytes, percent, printBar, printTable, processorTimeMs } from '../index.ts';
import { journalSize } from './demo/journal-size.ts';
import { DemoObserver } from './demo/observer.ts';

/**
 * Watches the demo as a newcomer does, and judges its promises: prices, signals, derived figures, short markets that
 * end, winners and losers, its bytes and its CPU time. Arguments: minutes (default 10), and the data folder of a
 * running service (default: starts one).
 */
const READ_EVERY_MS = 2_000;
const JOURNAL_BYTES_A_DAY = 150e6;

const [minutesText = '10', dataDir] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const minutes = Number(minutesText);
const env = { DEMO: 'on', HOUSE_BOTS: 'on', RATE_LIMITS: 'on' };
const own = dataDir === undefined ? await startStandalone({ env }) : null;
const folder = dataDir ?? own?.dataDir ?? '';
try {
  const service = own ?? (JSON.parse(readFileSync(path.join(folder, 'service.json'), 'utf8')) as ServiceFile);
  const { baseUrl, demo, pid } = service;
  const client = createClient({ baseUrl, key: demo?.apiKey ?? '' });
  const observer = new DemoObserver(client);
  const before = { cpuMs: processorTimeMs(pid), journal: await journalSize(folder), atMs: performance.now() };
  while (performance.now() - before.atMs < minutes * 60_000) {
    await observer.read();
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
  const passedMs = performance.now() - before.atMs;
  const journal = await journalSize(folder);
  const written = journal.bytes - before.journal.bytes;
  const cpu = (processorTimeMs(pid) - before.cpuMs) / passedMs;
  const seen = await observer.judge();

  console.log(`${minutes} minutes, ${seen.active} active markets, read every ${READ_EVERY_MS / 1_000} s\n`);
  const row = printTable(['of the active markets'], ['least', 'median', 'most']);
  for (const { name, least, middle, most } of seen.ranges) row(name, least, middle, most);
  console.log();
  printBar('fewest different prices of a market', seen.fewestPrices, { atLeast: 5 });
  for (const name of ['snapshotDelta', 'volumeDelta', 'neighborSignal'] as const) {
    printBar(`different values of ${name}`, seen.different(name), { atLeast: 10 });
  }
  printBar('different values of spread', seen.different('spread'), { atLeast: 3 });
  printBar('clusters with a clusterRiskScore of their own', seen.clusterScores, { atLeast: 3 });
  printBar('markets with recentEvents', seen.withEvents, { atLeast: 8 });
  printBar('markets with an oracleScore above 0', seen.withOracle, { atLeast: 8 });
  printBar('signals a minute', seen.signals / minutes, { atMost: 2 }, (n) => figure(n, 2));
  printBar('markets resolved', seen.resolved, { atLeast: 3 });
  printBar('accounts that gain', seen.winners, { atLeast: 1 });
  printBar('accounts that lose', seen.losers, { atLeast: 1 });
  console.log(`trades: ${figure(seen.trades)}; ranked: ${seen.ranked.join(', ')}`);

  console.log(
    `\nThe journal grew by ${figure(journal.events - before.journal.events)} events, ${megabytes(written)} on disk:`,
  );
  for (const [type, { bytes, count }] of journal.byType) {
    console.log(`  ${type}: ${figure(count)}, ${figure(bytes)} bytes each on disk`);
  }
  // The limit is the share of the time that has passed, plus an hour's share of the day's bytes as a burst.
  const writtenMax = (JOURNAL_BYTES_A_DAY / 25) * (1 + passedMs / 3_600_000);
  printBar(
    'written, of what a day may have (the first minutes of a new demo are faster than all others)',
    written,
    { atMost: writtenMax },
    megabytes,
  );
  console.log(`CPU time of the service and its Postgres: ${percent(cpu, 1)} of a core`);
} finally {
  await own?.stop();
}
