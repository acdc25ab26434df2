import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUse, lockFolder, withClient } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { placeCluster } from '@paper/testkit/servers';
import { expect } from 'chai';
import { keepEmbeddedPostgres } from '../src/index.ts';
import type { KeptPostgres } from '../src/index.ts';
import { RESTART_BACK_OFF } from '../src/keep-running.ts';
import { readPidFile } from '../src/leftover.ts';

describe('an embedded Postgres that is kept running', function () {
  this.timeout(60_000);
  let dataDir: string;
  let server: KeptPostgres | null = null;
  /** When it was down, in ms of `performance.now()`, and why. */
  let downs: { readonly atMs: number; readonly error: Error }[];
  let ups: number;

  beforeEach(async () => {
    [downs, ups] = [[], 0];
    dataDir = mkdtempSync(join(tmpdir(), 'kept-postgres-'));
    await placeCluster(dataDir);
    server = await keep();
  });
  afterEach(async () => {
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const keep = (): Promise<KeptPostgres> =>
    keepEmbeddedPostgres({
      dataDir,
      settings: { fsync: 'off' },
      onDown: (error) => downs.push({ atMs: performance.now(), error }),
      onUp: () => (ups += 1),
    });
  const pid = (): number => readPidFile(join(dataDir, 'postgres'))?.pid ?? 0;
  const ask = (): Promise<unknown> =>
    withClient({ connectionString: server?.connectionString ?? '' }, (client) => client.query('select 1'));

  it('is started again at the same address after kill −9, and stops when it is asked to', async () => {
    await ask();
    for (const time of [1, 2]) {
      process.kill(pid(), 'SIGKILL');
      await eventually('it serves again', () => ups === 1 + time);
      await ask();
    }
    expect(downs).to.have.length(2);
    expect(downs[0]?.error.message).to.match(/ended by SIGKILL/);
    await server?.stop();
    expect({ downs: downs.length, ups }).to.deep.equal({ downs: 2, ups: 3 });
  });

  it('is started again where it is killed before it accepts connections: the start failed', async () => {
    await server?.stop();
    [downs, ups] = [[], 0];
    const starting = keep();
    await eventually('it has begun', () => pid() > 0, { everyMs: 1 });
    process.kill(pid(), 'SIGKILL');
    server = await starting;
    // On a busy machine it may have accepted connections before it was killed.
    const serves = (): Promise<boolean> =>
      ask().then(
        () => true,
        () => false,
      );
    await eventually('it serves again', async () => downs.length === 1 && (await serves()));
  });

  /** Holds the folder's lock after a kill, so that no start succeeds. The returned function releases it. */
  async function killAndHold(): Promise<() => void> {
    process.kill(pid(), 'SIGKILL');
    const held: (() => void)[] = [];
    const hold = (): boolean => {
      try {
        held.push(lockFolder(dataDir, 'postgres.lock'));
      } catch (error) {
        if (!(error instanceof FolderInUse)) throw error;
      }
      return held.length > 0;
    };
    await eventually('the lock is free', hold, { everyMs: 1 });
    return () => held[0]?.();
  }

  it('is started with growing pauses of at most 5 s while it cannot start', async () => {
    const release = await killAndHold();
    await eventually('four starts have failed', () => downs.length >= 5);
    const pausesMs = downs.slice(1).map(({ atMs }, n) => atMs - (downs[n]?.atMs ?? 0));
    for (const [n, pauseMs] of pausesMs.entries()) expect(pauseMs).to.be.at.least(0.9 * 100 * 2 ** n);
    expect(RESTART_BACK_OFF.longestMs).to.equal(5_000);
    release();
    await eventually('it serves again', () => ups === 2);
    await ask();
  });

  it('stops at once during a pause, and is not started again', async () => {
    const release = await killAndHold();
    // The pause after the fifth is 1.6 s.
    await eventually('four starts have failed', () => downs.length >= 5);
    await server?.stop();
    expect(performance.now() - (downs.at(-1)?.atMs ?? 0)).to.be.below(1_600);
    release();
    expect({ downs: downs.length, ups }).to.deep.equal({ downs: 5, ups: 1 });
  });
});
