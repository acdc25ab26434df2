import { expect } from 'chai';
import { z } from 'zod';
import { ConfigError, processSettings, readArguments, storeSettings } from '../../src/index.ts';

const schema = z.object({ ...processSettings, ...storeSettings });
const env = { DATABASE_URL: 'postgresql://db/paper', METRICS_PORT: '1' };

describe('the arguments of a service', () => {
  it('stand over the environment, with a space or an equals sign', () => {
    const { config } = readArguments(schema, env, ['--metrics-port', '9100', '--host=::1']);
    expect(config).to.deep.equal({
      DATABASE_URL: 'postgresql://db/paper',
      HOST: '::1',
      LOG_LEVEL: 'info',
      METRICS_PORT: 9100,
      SHARD: 'main',
    });
  });

  it('may ask for nothing but the settings, wherever that stands', () => {
    expect(readArguments(schema, env, []).printOnly).to.equal(false);
    expect(readArguments(schema, env, ['--print-config', '--host', 'h'])).to.deep.include({ printOnly: true });
    expect(readArguments(schema, env, ['--host', 'h', '--print-config'])).to.deep.include({ printOnly: true });
  });

  const wrong: readonly (readonly [args: string[], env: Record<string, string>, said: RegExp])[] = [
    [['--prot', '1'], env, /^--prot is not an option\. There are: --host, .*--shard, --print-config$/],
    [['serve'], env, /^serve is not an option/],
    [['--host'], env, /^--host needs a value/],
    [['--Host', 'h'], env, /^--Host is not an option/],
    [[], {}, /DATABASE_URL: /],
    [['--database-url', 'mysql://db'], {}, /DATABASE_URL: must begin with postgresql:\/\//],
    [[], { ...env, SHARD: 'Main Street' }, /SHARD: must be lower-case letters/],
  ];
  for (const [args, given, said] of wrong) {
    it(`are refused with a reason: ${said.source}`, () => {
      expect(() => readArguments(schema, given, args)).to.throw(ConfigError, said);
    });
  }
});
