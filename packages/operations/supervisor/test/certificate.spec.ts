import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInstalled } from '@paper/runtime';
import { TestAuthority } from '@paper/testkit/servers';
import { expect } from 'chai';
import { expiryWarning } from '../src/index.ts';

const DAY_MS = 86_400_000;

describe("the front door's certificate", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-certificate-'));
  after(() => rmSync(folder, { recursive: true }));

  (isInstalled('openssl') ? it : it.skip)(
    'is said to have expired, with what replaces it: a start waited without a word',
    () => {
      const { certificate, key } = new TestAuthority(folder).issue({ name: 'front-door' });
      const file = path.join(folder, 'both.pem');
      writeFileSync(file, `${readFileSync(certificate, 'utf8')}${readFileSync(key, 'utf8')}`);
      expect(expiryWarning(file, Date.now())).to.equal(null);
      // It is valid for two days.
      expect(expiryWarning(file, Date.now() + 3 * DAY_MS)).to.match(
        /both\.pem: the certificate expired at .*npm run rotate -- /,
      );
      expect(() => expiryWarning(certificate, Date.now())).to.throw('has no private key');
    },
  );
});
