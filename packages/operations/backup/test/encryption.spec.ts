import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { readKeyFile, writeNewKey } from '@paper/backup';

describe('the file of BACKUP_KEY_FILE', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'key-'));
  const file = path.join(folder, 'key');
  after(() => rmSync(folder, { recursive: true }));

  const refusal = async (text: string): Promise<string> => {
    const wrong = path.join(folder, 'wrong');
    writeFileSync(wrong, text, { mode: 0o600 });
    return String(await readKeyFile(wrong).catch((error: unknown) => error));
  };

  it('is made for its owner alone, and never replaces another', async () => {
    const recipient = await writeNewKey(file);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect((await readKeyFile(file)).recipients).to.deep.equal([recipient]);
    expect(String(await writeNewKey(file).catch((error: unknown) => error))).to.include('exists, and may be the key');
  });

  it('is refused where it holds no key, or one that was mistyped, which is not shown', async () => {
    expect(await refusal('')).to.include('Make one: npm run backup -- --new-key FILE');
    expect(await refusal('a passphrase')).to.include('must have keys of age alone');
    const cut = await refusal('AGE-SECRET-KEY-1QQQQ');
    expect(cut).to.include('mistyped or cut off');
    expect(cut).not.to.include('QQQQ');
    expect(String(await readKeyFile(path.join(folder, 'none')).catch((error: unknown) => error))).to.include(
      '(ENOENT)',
    );
  });
});
