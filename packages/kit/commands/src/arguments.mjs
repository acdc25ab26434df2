import { parseArgs } from 'node:util';
import { closest } from './closest.mjs';
import { callOf, JSON_OPTION, settingsOf } from './declaration.mjs';

export class UsageError extends Error {
  name = 'UsageError';
}

/**
 * Parses the arguments of a declared command: `subcommand` (or null), `args`, `runs` (the command after `--`),
 * `options` in camel case, and the `settings` that were given as options. Throws UsageError.
 */
export function parseArguments(name, declared, argv) {
  if (declared.passes === true) return { args: argv, options: {}, settings: {}, subcommand: null };
  const { command, rest, subcommand } = chooseSubcommand(name, declared, argv);
  const call = callOf(name, subcommand);
  const fail = (message) => {
    throw new UsageError(`${message}\n\`${call}${subcommand === null ? ' --' : ''} --help\` shows what is right.`);
  };
  const settings = settingsOf(declared);
  const options = { ...command.options, ...(command.json === true ? { json: JSON_OPTION } : {}) };
  const kinds = { ...Object.fromEntries(Object.entries(settings).map(([key, one]) => [flagOf(key), one])), ...options };
  const end = declared.runs === undefined ? -1 : rest.indexOf('--');
  const [own, runs] = end === -1 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)];
  const given = { args: [], options: {}, settings: {}, subcommand, ...(declared.runs === undefined ? {} : { runs }) };
  for (const token of tokensOf(own, kinds)) {
    if (token.kind === 'positional') given.args.push(token.value);
    if (token.kind !== 'option') continue;
    const kind = kinds[token.name];
    if (kind === undefined) fail(unknownOption(token.name, Object.keys(kinds)));
    const value = valueOf(token, kind, fail);
    if (!Object.hasOwn(options, token.name)) given.settings[settingOf(token.name)] = value;
    else if (kind.many) (given.options[camel(token.name)] ??= []).push(value);
    else given.options[camel(token.name)] = value;
  }
  if (declared.runs !== undefined && runs.length === 0) {
    fail('A command is missing: it stands after the arguments and --.');
  }
  checkOptions(given.options, command, fail);
  checkArgs(given.args, command.args ?? [], fail);
  return given;
}

function chooseSubcommand(name, declared, argv) {
  const { commands } = declared;
  if (commands === undefined) return { command: declared, rest: argv, subcommand: null };
  const [first, ...rest] = argv;
  if (first !== undefined && Object.hasOwn(commands, first)) {
    return { command: commands[first], rest, subcommand: first };
  }
  // Some commands also work without a subcommand.
  if (declared.program !== undefined && declared.alone === true && !isMistyped(first, commands)) {
    return { command: declared, rest: argv, subcommand: null };
  }
  const names = Object.keys(commands);
  const wrong =
    first === undefined || first.startsWith('-') ? 'A subcommand is missing.' : unknown(first, names, 'a subcommand');
  throw new UsageError(`${wrong}\nThere are: ${names.join(', ')}. \`${callOf(name)} -- --help\` explains them.`);
}

const isMistyped = (first, commands) =>
  first !== undefined && /^[a-z]/.test(first) && closest(first, Object.keys(commands)) !== null;

/** Splits the arguments. An option with an optional value takes the next argument, unless that is an option. */
function tokensOf(argv, kinds) {
  const standsAlone = (name) => {
    const next = argv[argv.indexOf(`--${name}`) + 1];
    return kinds[name].alone !== undefined && (next === undefined || next.startsWith('-'));
  };
  const types = Object.keys(kinds).map((name) => [
    name,
    { type: kinds[name].value === undefined || standsAlone(name) ? 'boolean' : 'string' },
  ]);
  return parseArgs({ args: argv, options: Object.fromEntries(types), strict: false, tokens: true }).tokens;
}

function valueOf({ inlineValue, name, value }, kind, fail) {
  if (kind.value === undefined) {
    if (value !== undefined) fail(`--${name} takes no value.`);
    return true;
  }
  if (value === undefined && kind.alone !== undefined) return kind.alone;
  if (value === undefined || (!inlineValue && value.startsWith('--'))) fail(`--${name} needs a value: ${kind.value}.`);
  if (kind.choices !== undefined && !kind.choices.includes(value)) {
    fail(`--${name}: ${unknown(value, kind.choices, 'a choice')} It is ${kind.choices.join(', ')}.`);
  }
  return kind.from === undefined ? value : numberOf(value, kind, `--${name}`, fail);
}

function numberOf(text, { from, to = Number.MAX_SAFE_INTEGER }, what, fail) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= from && number <= to) return number;
  const range = to === Number.MAX_SAFE_INTEGER ? `at least ${from}` : `from ${from} to ${to}`;
  return fail(`${what}: a whole number ${range} is needed, not "${text}".`);
}

function checkOptions(given, { options = {} }, fail) {
  for (const [name, { byDefault, needed, without = [] }] of Object.entries(options)) {
    if (given[camel(name)] === undefined) {
      if (needed) fail(`--${name} is missing.`);
      if (byDefault !== undefined) given[camel(name)] = byDefault;
    } else {
      const other = without.find((one) => given[camel(one)] !== undefined && options[one]?.byDefault === undefined);
      if (other !== undefined) fail(`--${name} and --${other} cannot be given together.`);
    }
  }
}

function checkArgs(args, declared, fail) {
  for (const [index, { from, many, name, optional }] of declared.entries()) {
    if (args[index] === undefined && !optional) fail(`The argument ${name} is missing.`);
    if (args[index] !== undefined && from !== undefined && !many) {
      args[index] = numberOf(args[index], declared[index], name, fail);
    }
  }
  if (args.length > declared.length && !declared.at(-1)?.many) {
    fail(`"${args[declared.length]}" is one argument too many.`);
  }
}

function unknown(typed, names, what) {
  const meant = closest(typed, names);
  return `${typed} is not ${what}.${meant === null ? '' : ` Did you mean ${meant}?`}`;
}

const unknownOption = (name, names) =>
  unknown(
    `--${name}`,
    [...names, 'help', 'version'].map((one) => `--${one}`),
    'an option',
  );

const flagOf = (setting) => setting.toLowerCase().replaceAll('_', '-');
const settingOf = (flag) => flag.toUpperCase().replaceAll('-', '_');
const camel = (flag) => flag.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
