import { expect } from 'chai';
import { parseArguments, UsageError } from '../src/index.ts';
import type { CommandDeclaration } from '../src/index.ts';

const DECLARED: CommandDeclaration = {
  about: 'do this',
  args: [
    { name: 'file', about: 'which' },
    { name: 'other', about: 'another', optional: true },
  ],
  options: {
    days: { value: 'DAYS', about: 'how long', byDefault: 30, from: 1, to: 99 },
    format: { value: 'NAME', about: 'how', choices: ['csv', 'json'] },
    head: { value: 'FILE', about: 'one of several', many: true },
    'no-names': { about: 'without names', without: ['format'] },
    throttle: { value: 'RATE', about: 'slowly', alone: 5_000, from: 20 },
  },
  json: true,
  settings: [
    ['DATA_DIR', './data', 'the folder'],
    ['JOURNAL_URL', 'none', 'the journal', true],
    ['ACCEPT_CLOCK', 'off', 'whether'],
  ],
};
const parse = (...argv: string[]) => parseArguments('export', DECLARED, argv);

describe('the arguments of a command', () => {
  it('are options in camel case, with their defaults, and arguments in order', () => {
    expect(parse('--no-names', 'a', '--head', 'x', '--head=y', '--json', 'b')).to.deep.equal({
      args: ['a', 'b'],
      options: { days: 30, head: ['x', 'y'], json: true, noNames: true },
      settings: {},
      subcommand: null,
    });
    expect(parse('--', '--a').args).to.deep.equal(['--a']);
  });

  it('end at -- where another command stands behind it, whose options are its own', () => {
    const declared = { ...DECLARED, runs: 'what is run' };
    const { args, options, runs } = parseArguments('export', declared, [
      'a',
      '--json',
      '--',
      'bot',
      '--days',
      'x',
      '--',
    ]);
    expect({ args, json: options['json'], runs }).to.deep.equal({
      args: ['a'],
      json: true,
      runs: ['bot', '--days', 'x', '--'],
    });
    expect(() => parseArguments('export', declared, ['a'])).to.throw(/A command is missing/);
  });

  it('are the settings that it reads, in any form', () => {
    const { settings } = parse(
      'a',
      '--data-dir',
      './d',
      '--journal-url-file=f',
      '--eventstore-url',
      'e',
      '--accept-clock',
    );
    expect(settings).to.deep.equal({
      DATA_DIR: './d',
      JOURNAL_URL_FILE: 'f',
      EVENTSTORE_URL: 'e',
      ACCEPT_CLOCK: 'on',
    });
  });

  it('may leave out a value that has a usual one', () => {
    expect(parse('a', '--throttle').options['throttle']).to.equal(5_000);
    expect(parse('a', '--throttle', '--json').options['throttle']).to.equal(5_000);
    expect(parse('a', '--throttle', '60').options['throttle']).to.equal(60);
  });

  const wrong: readonly (readonly [argv: string[], said: string])[] = [
    [['a', '--dasy', '3'], '--dasy is not an option. Did you mean --days?'],
    [['a', '--data-dri', '3'], '--data-dri is not an option. Did you mean --data-dir?'],
    [['a', '--something-else'], '--something-else is not an option.\n'],
    [['a', '-x'], '-x is not an option.'],
    [['a', '--days'], '--days needs a value: DAYS.'],
    [['a', '--days', '--json'], '--days needs a value: DAYS.'],
    [['a', '--days', '0'], '--days: a whole number from 1 to 99 is needed, not "0".'],
    [['a', '--throttle', '3'], '--throttle: a whole number at least 20 is needed, not "3".'],
    [['a', '--json=yes'], '--json takes no value.'],
    [['a', '--format', 'jsno'], '--format: jsno is not a choice. Did you mean json? It is csv, json.'],
    [['a', '--format', 'csv', '--no-names'], '--no-names and --format cannot be given together.'],
    [[], 'The argument file is missing.'],
    [['a', 'b', 'c'], '"c" is one argument too many.'],
  ];
  for (const [argv, said] of wrong) {
    it(`are refused with what would be right: ${argv.join(' ')}`, () => {
      expect(() => parse(...argv)).to.throw(UsageError, said);
      expect(() => parse(...argv)).to.throw('`npm run export -- --help` shows what is right.');
    });
  }

  it('name a subcommand, unless the command does something without', () => {
    const { args: _, ...above } = DECLARED;
    const both: CommandDeclaration = { ...above, commands: { verify: DECLARED } };
    expect(parseArguments('audit', both, ['verify', 'a']).subcommand).to.equal('verify');
    expect(() => parseArguments('audit', both, ['verfy'])).to.throw('verfy is not a subcommand. Did you mean verify?');
    expect(() => parseArguments('audit', both, ['--json'])).to.throw('A subcommand is missing.\nThere are: verify.');
    expect(() => parseArguments('audit', both, ['verify', '--x'])).to.throw('`npm run audit -- verify --help`');
    expect(
      parseArguments('chaos', { ...DECLARED, alone: true, commands: {}, program: 'x' }, ['20']).args,
    ).to.deep.equal(['20']);
  });
});
