import { expect } from 'chai';
import { z } from 'zod';
import {
  ConfigError,
  processSettings,
  readArguments,
  setting,
  storeSettings,
  withoutFormerNames,
} from '../src/index.ts';

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

  it('accept the clock without a value, too', () => {
    const accepting = z.object({ ...processSettings, ACCEPT_CLOCK: setting.acceptClock.default('off') });
    const accepted = (...args: string[]) => readArguments(accepting, env, args).config.ACCEPT_CLOCK;
    expect(accepted()).to.equal('off');
    expect(accepted('--accept-clock')).to.equal('on');
    expect(accepted('--accept-clock', '--host', 'h')).to.equal('on');
    expect(accepted('--accept-clock=journal')).to.equal('journal');
    expect(() => accepted('--accept-clock', 'yes')).to.throw(ConfigError, /must be off, journal or on/);
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

describe('EVENTSTORE_URL, the former name of JOURNAL_URL: an EventStoreDB server of the same shell took it for its own', () => {
  const withJournal = schema.extend({ JOURNAL_URL: z.string().optional() });
  const [one, other] = ['esdb://one:2113', 'esdb://other:2113'];
  const urlOf = (given: Record<string, string>, args: string[] = []) =>
    readArguments(withJournal, { ...env, ...given }, args).config.JOURNAL_URL;

  it('still works, as a variable and as an option', () => {
    expect(urlOf({ JOURNAL_URL: one })).to.equal(one);
    expect(urlOf({ EVENTSTORE_URL: one })).to.equal(one);
    expect(urlOf({}, ['--eventstore-url', one])).to.equal(one);
    expect(urlOf({ EVENTSTORE_URL: one, JOURNAL_URL: one })).to.equal(one);
  });

  it('says nothing where JOURNAL_URL is empty, or given as an option', () => {
    expect(urlOf({ EVENTSTORE_URL: one, JOURNAL_URL: '' })).to.equal(undefined);
    expect(urlOf({ EVENTSTORE_URL: one }, ['--journal-url', other])).to.equal(other);
  });

  it('is an error beside another JOURNAL_URL', () => {
    expect(() => urlOf({ EVENTSTORE_URL: one, JOURNAL_URL: other })).to.throw(
      ConfigError,
      'JOURNAL_URL and its former name EVENTSTORE_URL are both set, and differ: unset EVENTSTORE_URL.',
    );
  });

  it('is warned of in one line, once for a process', () => {
    const lines: string[] = [];
    for (let n = 0; n < 3; n += 1) withoutFormerNames({ EVENTSTORE_URL: one }, (line) => lines.push(line));
    expect(lines.length).to.be.at.most(1);
  });
});
