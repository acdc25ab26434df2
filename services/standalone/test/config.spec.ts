import { expect } from 'chai';
import { ConfigError, readArguments } from '@paper/runtime';
import { resolve } from 'node:path';
import { standaloneSettings } from '../src/config.ts';
import type { StandaloneConfig } from '../src/config.ts';

const readConfig = (env: Record<string, string>, options: readonly string[]): StandaloneConfig =>
  readArguments(standaloneSettings, env, options).config;

describe('settings of the standalone', () => {
  it('has a default for everything', () => {
    expect(readConfig({}, [])).to.deep.equal({
      ACCEPT_CLOCK: 'off',
      ACCESS_LOG: false,
      BACKTESTS_DAYS: 7,
      BACKTESTS_FLEET_MB: 5_000,
      BACKTESTS_MB: 20_000,
      PORT: 4000,
      HOST: '127.0.0.1',
      DATA_DIR: resolve('./data'),
      DEMO: true,
      HOUSE_BOTS: true,
      STARTING_BALANCE: 10_000,
      COMPLIANCE_MODE: 'paper',
      DAY_COMMANDS: 1_000_000,
      IDEMPOTENCY_ENTRIES: 2_000_000,
      SNAPSHOT_EVERY: 100_000,
      LOG_LEVEL: 'warn',
      MCP_HOSTS: [],
      PORTAL_INSECURE: false,
      RATE_LIMITS: {},
      RESERVE_MB: 64,
      SIGN_UPS_IN_ALL: 1_000,
      SIGN_UPS_PER_DAY: 20,
      SIGN_UPS_PER_HOUR: 5,
      METRICS_PORT: 0,
      CONNECTIONS_MAX: 30_000,
      TRUSTED_PROXIES: [],
    });
  });

  it('takes an option over the environment, with a space or an equals sign', () => {
    const env = { PORT: '1', DATA_DIR: '/from/env', DEMO: 'off' };
    const config = readConfig(env, ['--port', '4001', '--data-dir=/a folder/with=signs']);
    expect(config).to.include({ PORT: 4001, DATA_DIR: '/a folder/with=signs', DEMO: false });
  });

  it('takes rate limits as on, off, or two numbers', () => {
    const limits = (text: string): unknown => readConfig({ RATE_LIMITS: text }, []).RATE_LIMITS;
    expect(limits('on')).to.deep.equal({});
    expect(limits('off')).to.equal(null);
    expect(limits('50/75')).to.deep.equal({ commandsPerSecond: 50, readsPerSecond: 75 });
  });

  const wrong: readonly (readonly [name: string, env: Record<string, string>, options: string[], said: RegExp])[] = [
    ['a port that is none', { PORT: '70000' }, [], /PORT: must be a whole number from 0 to 65535/],
    ['a switch that is neither', { DEMO: 'yes' }, [], /DEMO: must be on or off/],
    ['a mode that is unknown', { COMPLIANCE_MODE: 'strict' }, [], /COMPLIANCE_MODE: must be paper or kyc/],
    ['rate limits of nothing', { RATE_LIMITS: '0/0' }, [], /RATE_LIMITS: must be on, off, or/],
    ['a memory of nothing', { IDEMPOTENCY_ENTRIES: '0' }, [], /IDEMPOTENCY_ENTRIES: must be a whole number from 1/],
    ['a balance of nothing', { STARTING_BALANCE: '0' }, [], /STARTING_BALANCE/],
    ['a database that is none', { DATABASE_URL: 'mysql://x' }, [], /DATABASE_URL: must begin with postgresql/],
    ['a token that is too short', { OPERATOR_TOKENS: 'me:short' }, [], /OPERATOR_TOKENS: entry 1/],
    ['an option that is unknown', {}, ['--prot', '1'], /--prot is not an option.*--port/],
    ['an option without its value', {}, ['--port'], /--port needs a value/],
    ['a word that is no option', {}, ['start'], /start is not an option/],
  ];
  for (const [name, env, options, said] of wrong) {
    it(`refuses ${name}, and names it`, () => {
      expect(() => readConfig(env, options)).to.throw(ConfigError, said);
    });
  }
});
