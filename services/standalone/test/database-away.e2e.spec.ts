import { eventually, testDatabase } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import { createCuttableProxy } from '@paper/testkit/servers';
import { expect } from 'chai';

describe('a standalone whose Postgres of DATABASE_URL goes away', function () {
  this.timeout(120_000);

  it('says so for commands and for the database, and is ready by itself when it is back', async () => {
    const database = await testDatabase();
    const proxy = await createCuttableProxy(database.connectionString);
    const service = await startStandalone({ env: { DATABASE_URL: proxy.url } });
    const get = async (url: string): Promise<unknown> => (await fetch(url)).json();
    const checks = async (): Promise<Record<string, string>> => {
      const ready = await get(service.metricsUrl.replace('/metrics', '/health/ready'));
      return (ready as { readonly checks: Record<string, string> }).checks;
    };
    try {
      await eventually('all is ready', async () => Object.values(await checks()).every((verdict) => verdict === 'ok'));
      proxy.cut();
      await eventually('commands are not', async () => (await checks())['command side'] !== 'ok');
      const { 'command side': commands, database: reads } = await checks();
      expect(commands).to.match(/^the journal does not answer: bring its server back/);
      expect(reads).to.not.equal('ok');
      expect(await get(`${service.baseUrl}/api/health`)).to.include({ status: 'degraded', database: 'down' });
      proxy.mend();
      await eventually('all is ready', async () => Object.values(await checks()).every((verdict) => verdict === 'ok'));
    } finally {
      proxy.mend();
      await service.stop();
      await proxy.close();
      await database.close();
    }
  });
});
