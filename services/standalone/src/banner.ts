import { join } from 'node:path';
import { EXAMPLE_QUANTITY } from './example-order.ts';
import { JOURNAL_BYTES_A_DAY } from '@paper/house';
import type { SeededDemo } from './seed-demo.ts';
import type { ServiceFile } from './service-file.ts';

export function banner(
  service: ServiceFile,
  dataDir: string,
  { exampleMarketId, isAlive }: Pick<SeededDemo, 'exampleMarketId' | 'isAlive'>,
): string {
  const { baseUrl, demo, metricsUrl, publicUrl } = service;
  const lines = [
    `Ready at ${baseUrl}`,
    '',
    `  In a browser    ${publicUrl}/  (the API: ${baseUrl}/api/docs)`,
    `  Operator token  in ${join(dataDir, 'service.json')}`,
    `  Metrics         ${metricsUrl}`,
  ];
  if (demo === null) {
    lines.push(
      '',
      'The demo is off, so there is no account yet. Next, in another terminal, from this folder:',
      '',
      '  npm run open-account -- NAME                                  an account and its key',
      '  npm run import-markets -- --format forecastbench FILE         markets of a ForecastBench question set',
      `  or list your own with POST ${baseUrl}/api/operator/markets    (${baseUrl}/api/docs)`,
    );
  }
  if (demo !== null) lines.push(`  Demo account    ${demo.accountId}`, `  Demo key        ${demo.apiKey}`);
  if (isAlive) {
    lines.push(
      '',
      `The demo's traders, news and short markets are invented. They write at most ${JOURNAL_BYTES_A_DAY / 1e6} MB of journal a day,`,
      'and a tenth of that while nobody has connected for ten minutes. HOUSE_BOTS=off runs without them.',
    );
  }
  if (demo !== null && exampleMarketId !== null) {
    const order = {
      marketId: exampleMarketId,
      side: 'buy',
      outcome: 'yes',
      orderType: 'market',
      quantity: EXAMPLE_QUANTITY,
    };
    lines.push(
      '',
      `Buy ${EXAMPLE_QUANTITY} shares from the house with the demo account:`,
      '',
      `  curl -s -X POST ${baseUrl}/api/orders \\`,
      `    -H 'Authorization: Bearer ${demo.apiKey}' \\`,
      `    -H 'Content-Type: application/json' \\`,
      `    -d '${JSON.stringify(order)}'`,
    );
  }
  return `${lines.join('\n')}\n\nCtrl-C stops it.\n`;
}
