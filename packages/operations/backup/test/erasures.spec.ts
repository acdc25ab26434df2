import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BackupFolder } from '@paper/backup';
import { ErasureLog, readErasures } from '@paper/names';
import { expect } from 'chai';

const [ANN, BEN] = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b'];

describe('the deletions that are noted beside backups', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'erasures-'));
  after(() => rmSync(home, { recursive: true, force: true }));

  const backUp = (folder: string, meanwhile = (): void => undefined): Promise<string> =>
    new BackupFolder(folder).create(new Date('2026-11-24T03:00:00Z'), (draft) => {
      writeFileSync(path.join(draft, 'manifest.json'), '{}');
      meanwhile();
      return Promise.resolve();
    });

  it('are in the folder of all backups and in every backup, each account once', async () => {
    const folder = path.join(home, 'all');
    const backup = await backUp(folder);
    const log = new ErasureLog({ folder, required: true });
    log.note([ANN]);
    log.note([ANN, BEN]);
    for (const noted of [folder, backup]) expect(readErasures(noted)).to.deep.equal([ANN, BEN]);
  });

  it('are taken over by a backup that was under way when they were noted', async () => {
    const folder = path.join(home, 'meanwhile');
    mkdirSync(folder);
    const log = new ErasureLog({ folder, required: true });
    log.note([ANN]);
    // As a service that has looked for backups before this one appeared.
    const backup = await backUp(folder, () =>
      writeFileSync(path.join(folder, 'erasures.ndjson'), `{"accountId":"${BEN}"}\n`, { flag: 'a' }),
    );
    expect(readErasures(backup)).to.deep.equal([ANN, BEN]);
  });

  it('wait where the folder must be there and is not, and are none where there are no backups', () => {
    const folder = path.join(home, 'none');
    expect(() => new ErasureLog({ folder, required: true }).note([ANN])).to.throw('BACKUP_DIR: there is no folder');
    new ErasureLog({ folder, required: false }).note([ANN]);
    expect(readErasures(folder)).to.deep.equal([]);
  });
});
