import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { testDatabase } from '@paper/testkit';
import pg from 'pg';

/** The hook or test that fails, a test that never ends, or one that ends its process. */
type Fault = 'before hook' | 'test' | 'after hook' | 'nothing ends' | 'process ends';

/**
 * A suite that fails, and leaves what a test can leave behind: an embedded Postgres, and a process that holds the run's
 * output open and ends by SIGKILL only. It prints their pids.
 */
export function failingSuite(fault: Fault): void {
  const failHere = (here: Fault): void => {
    if (fault === here) throw new Error(`the ${here} fails`);
  };
  describe(`a suite whose ${fault}`, () => {
    before(async () => {
      const { connectionString } = await testDatabase();
      const client = new pg.Client({ connectionString });
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
      );
      await client.end();
      const child = spawn('sh', ['-c', 'trap "" HUP INT TERM; while :; do sleep 1; done'], { stdio: 'inherit' });
      console.log(`LEFT ${JSON.stringify({ pid: child.pid, postgres: rows[0]?.pid })}`);
      failHere('before hook');
    });
    after(() => failHere('after hook'));
    it('passes', () => undefined);
    it('may fail', async () => {
      failHere('test');
      if (fault === 'process ends') process.kill(process.pid, 'SIGKILL');
      if (fault !== 'nothing ends') return;
      writeFileSync(process.env['REACHED'] ?? '', '');
      await new Promise(() => undefined);
    }).timeout(0);
  });
}
