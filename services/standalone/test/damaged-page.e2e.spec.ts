import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { runningPostgres, startEmbeddedPostgres } from '@paper/embedded-postgres';
import { longTest, runCommand } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { createClient } from 'paper-trading-client';
import pg from 'pg';

const PAGE_BYTES = 8_192;

/** Where the events' table is, and the sequences of the events in one of its pages. */
async function findPage(dataDir: string, page: number) {
  const client = new pg.Client({ connectionString: runningPostgres(dataDir) ?? '' });
  await client.connect();
  const { rows } = await client.query<{ file: string; first: number; last: number }>(
    `select pg_relation_filepath('journal.events') as file, min(seq)::int as first, max(seq)::int as last
     from journal.events where (ctid::text::point)[0] = $1`,
    [page],
  );
  await client.end();
  const [found] = rows;
  return { file: found?.file ?? '', first: found?.first ?? 0, last: found?.last ?? 0 };
}

/** In Postgres' file of its state: DB_SHUTDOWNED, behind its identity and two versions. */
const [STATE_AT, ENDED_IN_ORDER] = [16, 1];

/**
 * Lets the server of a stopped service end in order: on a busy machine it is ended at once after some seconds, and its
 * recovery at the next start writes the damaged page anew from the write-ahead log.
 */
async function endInOrder(dataDir: string): Promise<void> {
  const state = (): number => readFileSync(path.join(dataDir, 'postgres/global/pg_control')).readInt32LE(STATE_AT);
  while (state() !== ENDED_IN_ORDER) await (await startEmbeddedPostgres({ dataDir })).stop();
}

describe('a start on a journal with a damaged page', function () {
  this.timeout(60_000);

  async function openAccounts({ baseUrl, operatorToken }: RunningStandalone, count: number): Promise<void> {
    const commands = Array.from(
      { length: count },
      (_, i) => ({ op: 'open-account', displayName: `Name ${i}` }) as const,
    );
    const operator = createClient({ baseUrl, key: operatorToken });
    (await operator.request('runOperatorBatch', { body: { commands } })).assertOk();
  }

  for (const { what, accounts, page, isLong } of [
    { what: 'one of its pages', accounts: 60, page: 1, isLong: false },
    { what: 'its only page', accounts: 1, page: 0, isLong: true },
  ]) {
    it(`names the events of ${what} that cannot be read and the two ways on, and the audit ends with 1`, async function () {
      if (isLong) longTest(this);
      const folder = temporaryDataDir();
      const { dataDir } = folder;
      const service = await startStandalone({ dataDir });
      await openAccounts(service, accounts);
      const { file, first, last } = await findPage(dataDir, page);
      await service.stop();
      await endInOrder(dataDir);

      const table = openSync(path.join(dataDir, 'postgres', file), 'r+');
      writeSync(table, Buffer.alloc(256, 0xa5), 0, 256, page * PAGE_BYTES);
      closeSync(table);

      const refusal = String(await startStandalone({ dataDir }).catch((error: unknown) => error));
      expect(refusal, refusal)
        .to.include('ended (2)')
        .and.include(`Sequences ${first} to ${last} of the journal cannot be read`)
        .and.include('docs/operate/backup.md')
        .and.include('docs/prove/audit.md');
      expect(refusal).not.to.match(/^\s+at /m);

      const audit = await runCommand(['audit', 'verify'], dataDir);
      expect(audit.code, audit.output).to.equal(1);
      expect(audit.output, audit.output).to.include(`Sequences ${first} to ${last} of the journal cannot be read`);
      folder.remove();
    });
  }
});
