import { execSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { maskConfig } from '../src/config/config.ts';
import { ConfigError, readArguments, readConfig, setting, storedSecret } from '../src/index.ts';

const schema = z.object({
  PORT: setting.port.default(4000),
  DEMO: setting.onOff.default(true),
  LOG_LEVEL: setting.logLevel.default('info'),
  TRUSTED_PROXIES: setting.list.default([]),
  OPERATOR_TOKENS: z.string().optional(),
  DATABASE_URL: z.string().optional(),
});

describe('the configuration', () => {
  it('is read from the environment, with defaults; empty is absent, others are no concern', () => {
    expect(readConfig(schema, { PORT: '0', DEMO: 'off', LOG_LEVEL: '', HOME: '/root' })).to.deep.equal({
      PORT: 0,
      DEMO: false,
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: [],
    });
    expect(readConfig(schema, { TRUSTED_PROXIES: '10.0.0.0/8, loopback' }).TRUSTED_PROXIES).to.deep.equal([
      '10.0.0.0/8',
      'loopback',
    ]);
  });

  it('names every variable that is wrong', () => {
    const wrong = { PORT: '0x10', DEMO: 'yes', LOG_LEVEL: 'loud' };
    expect(() => readConfig(schema, wrong))
      .to.throw(ConfigError)
      .with.property('message')
      .that.equals(
        [
          'The settings in the environment are not valid:',
          '  PORT: must be a whole number from 0 to 65535',
          '  DEMO: must be on or off',
          '  LOG_LEVEL: must be trace, debug, info, warn, error, fatal or silent',
        ].join('\n'),
      );
    for (const PORT of ['-1', '65536', '1e3', ' 1', '1.0']) expect(() => readConfig(schema, { PORT })).to.throw('PORT');
  });

  it('is shown without secrets', () => {
    const config = readConfig(schema, {
      OPERATOR_TOKENS: 'olga:0123456789abcdef',
      DATABASE_URL: 'postgres://paper:hunter2@db:5432/paper',
    });
    expect(maskConfig(config)).to.deep.equal({
      PORT: 4000,
      DEMO: true,
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: [],
      OPERATOR_TOKENS: '[secret]',
      DATABASE_URL: 'postgres://paper:[secret]@db:5432/paper',
    });
  });

  describe('of a secret', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
    const file = path.join(folder, 'tokens');
    after(() => rmSync(folder, { recursive: true }));

    it('may be in a file that NAME_FILE names, and is never shown', () => {
      writeFileSync(file, 'olga:0123456789abcdef\n', { mode: 0o600 });
      const config = readConfig(schema, { OPERATOR_TOKENS_FILE: file });
      expect(config.OPERATOR_TOKENS).to.equal('olga:0123456789abcdef');
      expect(maskConfig(config)['OPERATOR_TOKENS']).to.equal('[secret]');
    });

    it('is refused where it is given twice, and where its file cannot be read or is empty', () => {
      const refused = (env: NodeJS.ProcessEnv, why: string): void => {
        expect(() => readConfig(schema, env)).to.throw(ConfigError, why);
      };
      refused(
        { DATABASE_URL: 'postgresql://a', DATABASE_URL_FILE: file },
        'DATABASE_URL and DATABASE_URL_FILE are both',
      );
      refused({ DATABASE_URL_FILE: `${file}-none` }, `DATABASE_URL_FILE: ${file}-none cannot be read (ENOENT)`);
      writeFileSync(file, ' \n');
      refused({ DATABASE_URL_FILE: file }, `DATABASE_URL_FILE: ${file} is empty`);
    });

    it('is refused where every user can read its file, with the command that mends it', () => {
      const open = path.join(folder, 'open');
      writeFileSync(open, 'postgresql://a');
      chmodSync(open, 0o644);
      expect(() => readConfig(schema, { DATABASE_URL_FILE: open })).to.throw(ConfigError, `chmod o-rw ${open}`);
      expect(() => storedSecret(open)).to.throw(ConfigError, `chmod o-rw ${open}`);
      execSync(`chmod o-rw ${open}`);
      expect(readConfig(schema, { DATABASE_URL_FILE: open }).DATABASE_URL).to.equal('postgresql://a');
    });

    it('leaves files of settings alone that it does not read', () => {
      expect(() => readConfig(schema, { PORTAL_SECRET_FILE: '/nowhere' })).not.to.throw();
    });

    it('is overridden by an option, whichever of the two the environment has', () => {
      writeFileSync(file, 'postgresql://of-the-file');
      const { config } = readArguments(schema, { DATABASE_URL_FILE: file }, ['--database-url', 'postgresql://option']);
      expect(config.DATABASE_URL).to.equal('postgresql://option');
      const other = readArguments(schema, { DATABASE_URL: 'postgresql://env' }, ['--database-url-file', file]);
      expect(other.config.DATABASE_URL).to.equal('postgresql://of-the-file');
    });
  });

  const urls: readonly (readonly [url: string, shown: string])[] = [
    ['redis://:hunter2@redis:6379/0', 'redis://:[secret]@redis:6379/0'],
    ['postgresql://paper:hunter2@x:y@z@db/paper', 'postgresql://paper:[secret]@db/paper'],
    ['postgresql://paper:hunter2/with/slashes@db/paper', 'postgresql://paper:[secret]@db/paper'],
    [
      'postgresql://db/paper?user=u&password=hunter2&sslmode=require',
      'postgresql://db/paper?user=u&password=[secret]&sslmode=require',
    ],
    ['esdb+discover://admin:hunter2@a:2113,b:2113?tls=true', 'esdb+discover://admin:[secret]@a:2113,b:2113?tls=true'],
    ['esdb://a:2113,b:2113?tls=false', 'esdb://a:2113,b:2113?tls=false'],
  ];
  for (const [url, shown] of urls) {
    it(`shows ${shown}`, () => {
      expect(maskConfig({ URL: url })).to.deep.equal({ URL: shown });
    });
  }
});
