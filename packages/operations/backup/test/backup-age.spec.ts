import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BackupFolder } from '@paper/backup';
import { newestBackupMs, observeBackups } from '@paper/command-side';
import { createMetrics } from '@paper/runtime';
import { expect } from 'chai';

describe('the age of the newest backup', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'backup-age-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is unknown where there is no folder, or no finished backup in it', () => {
    expect(newestBackupMs(path.join(folder, 'none'))).to.equal(0);
    mkdirSync(path.join(folder, '.unfinished-2026-11-24T03-00-00.000Z'));
    mkdirSync(path.join(folder, '2026-11-24T03-00-00.000Z'));
    expect(newestBackupMs(folder)).to.equal(0);
  });

  it('is that of the newest of those that a backup has made', async () => {
    const times = ['2026-11-22T03:00:00.000Z', '2026-11-23T03:00:00.125Z', '2026-11-21T03:00:00.000Z'];
    for (const time of times) {
      await new BackupFolder(folder).create(new Date(time), (draft) => {
        writeFileSync(path.join(draft, 'manifest.json'), '{}');
        return Promise.resolve();
      });
    }
    const metrics = createMetrics();
    observeBackups(metrics, folder);
    const { text } = await metrics.expose();
    expect(text).to.match(/^backup_newest_timestamp_seconds 1795402800\.125$/m);
    expect(newestBackupMs(folder)).to.equal(Date.parse('2026-11-23T03:00:00.125Z'));
  });
});
