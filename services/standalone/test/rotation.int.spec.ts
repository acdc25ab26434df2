import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectionStringsOf, freshPasswords, prepareRoles } from '@paper/command-api';
import { connectPortal, preparePortal, resealKeys, Vault } from '@paper/portal';
import { createOperators, hashKey, parseOperatorTokens } from '@paper/http';
import { withClient } from '@paper/runtime';
import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { TestAuthority } from '@paper/testkit/servers';
import { expect } from 'chai';
import {
  addOperatorToken,
  dropOldTokens,
  rotateCertificate,
  rotatePasswords,
  rotatePortalSecret,
} from '../src/rotation.ts';

describe('the rotation of a secret', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'rotation-'));
  const fileWith = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    return file;
  };
  const read = (file: string): string => readFileSync(file, 'utf8').trim();
  let database: TestDatabase;

  before(async () => {
    database = await testDatabase();
  });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const connects = (connectionString: string): Promise<boolean> =>
    withClient({ connectionString }, () => Promise.resolve(true)).catch(() => false);

  describe('passwords of roles', () => {
    it('gives each role a new one, in its file before its services are restarted, and leaves open connections', async () => {
      const owner = { connectionString: database.connectionString, journalIsHere: true, shard: 'main' };
      const passwords = freshPasswords();
      await prepareRoles(owner, passwords);
      const former = connectionStringsOf(database.connectionString, passwords);
      const files = { command: fileWith('command', former.command), reader: fileWith('reader', former.reader) };
      const [restarted, shown]: [string[], string[]] = [[], []];
      await withClient({ connectionString: former.reader }, async (open) => {
        const rotated = await rotatePasswords({
          owner,
          files,
          onProgress: (done, of) => void shown.push(`${done} of ${of}`),
          restart: async (services) => {
            restarted.push(...services);
            const file = services.includes('command-api') ? files.command : files.reader;
            expect(await connects(read(file))).to.equal(true);
          },
        });
        expect(rotated).to.deep.equal(['command', 'reader']);
        expect(shown).to.deep.equal(['0 of 2', '1 of 2']);
        expect((await open.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }]);
      });
      expect(restarted).to.deep.equal(['command-api', 'query-api', 'stream-gateway', 'backtests']);
      expect(await connects(former.command)).to.equal(false);
      expect(await connects(former.projector)).to.equal(true);
      expect(statSync(files.command).mode & 0o777).to.equal(0o600);
    });
  });

  describe('tokens of operators', () => {
    const accepts = (file: string, token: string): boolean =>
      createOperators(parseOperatorTokens(read(file))).find(hashKey(token)) !== null;

    it('accepts both until the former is dropped, with the same scopes', async () => {
      const former = 'a-former-token-of-olga';
      const file = fileWith('tokens', `olga:${former}:markets,otto:another-token-of-otto`);
      let restarts = 0;
      const restart = (): Promise<void> => {
        restarts += 1;
        return Promise.resolve();
      };
      const token = await addOperatorToken(file, 'olga', restart);
      expect([accepts(file, former), accepts(file, token)]).to.deep.equal([true, true]);
      expect(await dropOldTokens(file, 'olga', restart)).to.equal(1);
      expect([accepts(file, former), accepts(file, token), accepts(file, 'another-token-of-otto')]).to.deep.equal([
        false,
        true,
        true,
      ]);
      expect(parseOperatorTokens(read(file))[0])
        .to.include({ name: 'olga', token })
        .and.deep.include({ scopes: ['markets'] });
      expect(restarts).to.equal(2);
    });

    it('refuses an operator that there is not, and to drop the only token', async () => {
      const file = fileWith('tokens', 'olga:a-former-token-of-olga');
      const none = (): Promise<void> => Promise.reject(new Error('restarted'));
      const refusal = (work: Promise<unknown>): Promise<string> => work.then(() => 'done', String);
      expect(await refusal(addOperatorToken(file, 'otto', none))).to.include('has no operator otto, but olga');
      expect(await refusal(dropOldTokens(file, 'olga', none))).to.include('there is no older one to drop');
    });
  });

  describe('the secret of the portal', () => {
    it('is replaced while portals accept both, and opens every key afterwards', async () => {
      const former = 'the former secret of 32 characters';
      const file = fileWith('portal-secret', former);
      const { connectionString } = database;
      await withClient({ connectionString }, (client) => preparePortal(client));
      const db = connectPortal(connectionString, () => undefined);
      await db
        .insertInto('people')
        .values({
          id: 'a',
          sign_in_name: 'ann',
          display_name: 'Ann',
          account_id: 'acc',
          state: 'active',
          password_hash: null,
          email: null,
        })
        .execute();
      const sealedBy = (secret: string, keyId: string): Buffer =>
        new Vault([secret]).seal(`raw ${keyId}`, 'acc', keyId);
      const rows = [
        ['k1', 'everyday', former],
        ['k2', 'master', former],
        ['k3', 'view', 'a secret that is long lost and gone'],
      ] as const;
      for (const [keyId, purpose, secret] of rows) {
        await db
          .insertInto('account_keys')
          .values({ key_id: keyId, person_id: 'a', account_id: 'acc', purpose, sealed: sealedBy(secret, keyId) })
          .execute();
      }
      const during: string[] = [];
      const restart = (): Promise<void> => {
        during.push(read(file));
        return Promise.resolve();
      };
      const shown: string[] = [];
      const onProgress = (done: number, of: number): void => void shown.push(`${done} of ${of}`);
      expect(await rotatePortalSecret({ connectionString, file, onProgress, restart })).to.deep.equal({
        resealed: 2,
        unreadable: 1,
      });
      expect(shown).to.deep.equal(['0 of 0', '0 of 3', '1 of 3', '2 of 3']);
      const fresh = read(file);
      expect(during).to.deep.equal([`${fresh},${former}`, fresh]);
      const vault = new Vault([fresh]);
      const found = await db.selectFrom('account_keys').select(['key_id', 'sealed']).orderBy('key_id').execute();
      expect(found.slice(0, 2).map(({ key_id: id, sealed }) => vault.open(sealed, 'acc', id))).to.deep.equal([
        'raw k1',
        'raw k2',
      ]);
      expect(await resealKeys(db, [fresh], onProgress)).to.deep.equal({ resealed: 0, unreadable: 1 });
      await db.destroy();
    });
  });
});

describe("the rotation of the front door's certificate", () => {
  let folder: string;
  let [file, fresh] = ['', ''];

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-certificates-'));
    const authority = new TestAuthority(folder);
    const pem = (name: string): string => {
      const { certificate, key } = authority.issue({ name, names: ['DNS:paper.example'] });
      const both = path.join(folder, `${name}.pem`);
      writeFileSync(both, `${readFileSync(certificate, 'utf8')}${readFileSync(key, 'utf8')}`, { mode: 0o600 });
      return both;
    };
    [file, fresh] = [pem('former'), pem('new')];
  });
  after(() => rmSync(folder, { recursive: true }));

  it('replaces the file, readable by its owner alone, and has the front door read it', async () => {
    const asked: string[] = [];
    const { fingerprint256, names } = await rotateCertificate({
      file,
      from: fresh,
      publicUrl: 'https://paper.example',
      serve: () => {
        asked.push(readFileSync(file, 'utf8'));
        return Promise.resolve(null);
      },
    });
    expect(asked).to.deep.equal([readFileSync(fresh, 'utf8')]);
    expect(names).to.equal('DNS:paper.example');
    expect(fingerprint256).to.match(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it('changes nothing where the new one is for another host', async () => {
    const before = readFileSync(file, 'utf8');
    const serve = () => Promise.reject(new Error('it was served'));
    const rotated = rotateCertificate({ file, from: fresh, publicUrl: 'https://other.example', serve });
    expect(await rotated.catch(String)).to.equal(
      `Error: ${fresh}: the certificate is for DNS:paper.example, and PUBLIC_URL has other.example.`,
    );
    expect(readFileSync(file, 'utf8')).to.equal(before);
  });

  it('fails where the front door serves another certificate afterwards', async () => {
    const rotated = rotateCertificate({ file, from: null, publicUrl: null, serve: () => Promise.resolve('00:11') });
    expect(await rotated.catch(String)).to.include('The front door serves another certificate');
  });
});
