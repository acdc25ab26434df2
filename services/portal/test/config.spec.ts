import { ConfigError, readConfig } from '@paper/runtime';
import { expect } from 'chai';
import { allowsOperators, assertWhole, portalSecrets, portalServiceSettings } from '../src/base/config.ts';

const NEEDED = {
  PORT: '4004',
  DATABASE_URL: 'postgresql://u:p@127.0.0.1/x',
  API_URL: 'http://127.0.0.1:4000',
  PORTAL_TOKEN: 'an-operator-token-for-tests',
};

describe('the settings of the portal', () => {
  const read = (more: Readonly<Record<string, string>> = {}) =>
    readConfig(portalServiceSettings, { ...NEEDED, ...more });

  it('limit sign-ups without being set', () => {
    expect(read()).to.include({
      SIGN_UPS_PER_HOUR: 5,
      SIGN_UPS_PER_DAY: 20,
      SIGN_UPS_IN_ALL: 1_000,
    });
  });

  it('let operators sign in where only this machine reaches the portal, unless they say otherwise', () => {
    const table: readonly [boolean, Readonly<Record<string, string>>][] = [
      [true, { HOST: '127.0.0.1' }],
      [true, { HOST: '::1', PUBLIC_URL: 'http://localhost:4000' }],
      [true, { HOST: 'localhost', PUBLIC_URL: 'http://[::1]:4000' }],
      [false, { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:4000' }],
      // A proxy on this machine lets others in.
      [false, { HOST: '127.0.0.1', PUBLIC_URL: 'https://paper.example' }],
      [true, { HOST: '0.0.0.0', PUBLIC_URL: 'https://paper.example', PORTAL_OPERATORS: 'on' }],
      [false, { HOST: '127.0.0.1', PORTAL_OPERATORS: 'off' }],
    ];
    for (const [expected, env] of table) expect(allowsOperators(read(env)), JSON.stringify(env)).to.equal(expected);
  });

  it('take only the address of a site as PUBLIC_URL', () => {
    expect(read({ PUBLIC_URL: 'https://paper.example:8443' }).PUBLIC_URL).to.equal('https://paper.example:8443');
    for (const wrong of [
      'paper.example',
      'ftp://paper.example',
      'https://paper.example/app',
      'https://u@paper.example',
    ]) {
      expect(() => read({ PUBLIC_URL: wrong }), wrong).to.throw(ConfigError, /PUBLIC_URL: must/);
    }
  });

  it('need a sender beside a mail server, and a client beside an issuer', () => {
    expect(() => assertWhole(read({ SMTP_URL: 'smtp://mail' }))).to.throw(ConfigError, 'SMTP_FROM');
    expect(() => assertWhole(read({ COMPANY_ISSUER: 'https://id.example' }))).to.throw(
      ConfigError,
      'COMPANY_CLIENT_ID',
    );
    expect(() => assertWhole(read())).not.to.throw();
  });

  it('given an address of a mail server that cannot be read, refuse it without its password', () => {
    const encoded = 'smtp://user:pa%2Fss@host:587';
    expect(read({ SMTP_URL: encoded }).SMTP_URL).to.equal(encoded);
    for (const wrong of ['smtp://user:pa/ss@host:587', 'smtps://user:pa#ss@host', 'smtp://user:pa?ss@host:587']) {
      expect(() => read({ SMTP_URL: wrong }), wrong)
        .to.throw(ConfigError, /SMTP_URL: must be an address such as smtp:/)
        .with.property('message')
        .that.does.not.match(/pa.ss@/);
    }
  });

  it('refuse a mode of sign-up that is none', () => {
    expect(() => read({ SIGN_UP: 'public' })).to.throw(ConfigError, 'SIGN_UP: must be open, invite or closed');
  });
});

describe('the secret of the portal', () => {
  const [newer, older] = ['a newer secret of 32 characters!', 'the older secret of 32 characters'];
  const of = (text?: string) => portalSecrets({ PORTAL_SECRET: text });

  it('is one, or two with the newer first', () => {
    expect(of(newer)).to.deep.equal([newer]);
    expect(of(`${newer}, ${older}`)).to.deep.equal([newer, older]);
    expect(of()).to.equal(null);
  });

  it('is never short, and never three', () => {
    expect(() => of('short')).to.throw(ConfigError, /at least 32/);
    expect(() => of(`${newer},short`)).to.throw(ConfigError, /at least 32/);
    expect(() => of(`${newer},${older},${newer}`)).to.throw(ConfigError, /or two/);
    try {
      of('a-secret-that-is-short');
    } catch (error) {
      expect((error as Error).message).not.to.include('a-secret-that-is-short');
    }
  });
});
