import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUse, lockFolder, StartRefused } from '@paper/runtime';
import { longTest } from '@paper/testkit';
import { expect } from 'chai';
import { checkStart } from '../src/start-checks.ts';

const NOBODY = 65_534;

describe('a start that cannot work', function () {
  this.timeout(20_000);
  let folder: string;
  let dataDir: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'start checks '));
    chmodSync(folder, 0o755);
    dataDir = join(folder, 'data');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const check = (settings: object = {}): Promise<unknown> =>
    checkStart({
      DATABASE_URL: undefined,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      METRICS_PORT: 0,
      PORT: 0,
      ...settings,
    });
  const refusal = (settings: object = {}): Promise<StartRefused> =>
    check(settings).then(
      () => expect.fail('it was not refused'),
      (error: unknown) => error as StartRefused,
    );

  /** The check as another user; gives the message of the refusal, or an empty line. */
  function checkAsNobody(): string {
    const program = `
      import { checkStart } from ${JSON.stringify(join(import.meta.dirname, '../src/start-checks.ts'))};
      const settings = { DATA_DIR: ${JSON.stringify(dataDir)}, HOST: '127.0.0.1', METRICS_PORT: 0, PORT: 0 };
      console.log(await checkStart(settings).then(() => '', (error) => error.name + ': ' + error.message));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      { cwd: import.meta.dirname, encoding: 'utf8', uid: NOBODY, gid: NOBODY, env: { ...process.env, TMPDIR: '/tmp' } },
    );
    return stdout.trim() || stderr.trim();
  }

  it('is none in a folder that is missing, or whose service has ended, and makes nothing', async () => {
    await check();
    expect(readdirSync(folder)).to.deep.equal([]);
    mkdirSync(dataDir);
    lockFolder(dataDir, 'standalone.lock')();
    await check();
    expect(readdirSync(dataDir)).to.deep.equal([]);
  });

  it('names a DATA_DIR that is a file, or would be in one', async () => {
    writeFileSync(dataDir, '');
    const message = `DATA_DIR is not a folder: ${dataDir} is a file. Name a folder: npm start -- --data-dir FOLDER`;
    for (const path of [dataDir, join(dataDir, 'below')]) {
      expect(await refusal({ DATA_DIR: path }))
        .to.be.instanceOf(StartRefused)
        .and.include({ message });
    }
  });

  it('names the process that has the folder, before its port', async () => {
    mkdirSync(dataDir);
    const release = lockFolder(dataDir, 'standalone.lock');
    try {
      expect(await refusal()).to.be.instanceOf(FolderInUse);
    } finally {
      release();
    }
  });

  it('names the port that is taken, by the option that chooses another', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      for (const [setting, option] of [
        ['PORT', 'port'],
        ['METRICS_PORT', 'metrics-port'],
      ] as const) {
        expect(await refusal({ [setting]: port }))
          .to.be.instanceOf(StartRefused)
          .and.include({
            message: `Port ${port} of 127.0.0.1 is taken. Choose another: npm start -- --${option} ${port + 1}`,
          });
      }
    } finally {
      taken.close();
    }
    await once(taken, 'close');
    expect((await refusal({ PORT: port, METRICS_PORT: port })).message).to.include('--metrics-port');
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('names the owner of a copy that root has made, and how to give it away', function () {
    longTest(this);
    if (process.getuid?.() !== 0) this.skip();
    const mend = `sudo chown -R ${NOBODY}:${NOBODY} '`;
    writeFileSync(join(folder, 'of-no-interest'), '', { mode: 0o600 });
    expect(checkAsNobody())
      .to.include(`DATA_DIR ${dataDir} cannot be made: ${folder} belongs to user 0`)
      .and.include(`sudo install -d -m 700 -o ${NOBODY} -g ${NOBODY} '${dataDir}'`);

    chmodSync(folder, 0o777);
    expect(checkAsNobody()).to.equal('');
    mkdirSync(dataDir, { mode: 0o700 });
    expect(checkAsNobody()).to.include(`DATA_DIR ${dataDir} cannot be used: ${dataDir} belongs to user 0`);
    chmodSync(dataDir, 0o777);
    expect(checkAsNobody()).to.equal('');
    writeFileSync(join(dataDir, 'operator-token'), 'secret', { mode: 0o600 });
    expect(checkAsNobody())
      .to.include(`${join(dataDir, 'operator-token')} belongs to user 0`)
      .and.include(mend);
    rmSync(join(dataDir, 'operator-token'));

    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18\n');
    expect(checkAsNobody())
      .to.include(`StartRefused: The database in ${dataDir} belongs to user 0, and this process is user ${NOBODY}`)
      .and.include(`${mend}${dataDir}'`);
  });
});
