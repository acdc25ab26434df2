import { callOf, JSON_OPTION } from './declaration.mjs';

export const asksForHelp = (args) => {
  // The arguments after `--` belong to the command that this one runs.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return own.includes('--help') || own.includes('-h');
};

export function helpOf(name, declared, asked) {
  const subcommand = Object.hasOwn(declared.commands ?? {}, asked ?? '') ? asked : null;
  const command = subcommand === null ? declared : declared.commands[subcommand];
  const call = callOf(name, subcommand);
  const parts = [
    [`usage: ${usageOf(call, command)}`],
    [`  ${sentence(command.about)}`, ...(command.notes ?? []).map((note) => `  ${note}`)],
    section('Example:', [[exampleOf(call, command)]]),
    section('Subcommands:', subcommandRows(command)),
    section('Arguments:', [
      ...(command.args ?? []).map((arg) => [arg.name, described(arg)]),
      ...(command.runs === undefined ? [] : [['command', command.runs]]),
    ]),
    section('Options:', optionRows(command)),
    section(
      settingsTitle(declared),
      (declared.settings ?? []).map(([setting, by, about, isSecret]) => [
        setting,
        by,
        isSecret ? `${about}; or its file: ${setting}_FILE` : about,
      ]),
    ),
    section('Exit codes:', exitCodeRows(command, declared)),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

export function helpOfAll(commands) {
  return [
    'usage: npm run COMMAND [-- options]',
    '',
    ...rows(Object.entries(commands).map(([name, { about }]) => [name, about])),
    '',
    'npm run COMMAND -- --help explains one.',
    '',
  ].join('\n');
}

export function exampleOf(call, { example }) {
  if (example === undefined) return call;
  return `${call}${call.includes(' -- ') ? '' : ' --'} ${example}`;
}

/** The exit codes of a command with their meanings. */
export function exitCodeRows({ faults, interrupted }, declared) {
  return [
    ['0', 'done'],
    ['1', faults ?? declared.faults ?? 'it ran, and failed'],
    ['2', 'it could not run: an argument is wrong, or a service or folder is missing'],
    ['130', `interrupted (Ctrl-C). ${interrupted ?? declared.interrupted ?? 'Nothing remains.'}`],
  ];
}

function usageOf(call, command) {
  const words = [
    ...(command.commands === undefined ? [] : [command.alone ? '[SUBCOMMAND]' : 'SUBCOMMAND']),
    ...(command.args ?? []).map(({ many, name, optional }) => {
      const word = `${name.toUpperCase()}${many ? '…' : ''}`;
      return optional ? `[${word}]` : word;
    }),
    ...Object.entries(command.options ?? {}).flatMap(([name, { needed, value }]) =>
      needed ? [`--${name} ${value}`] : [],
    ),
    '[options]',
    ...(command.runs === undefined ? [] : ['-- COMMAND…']),
  ];
  return `${call}${call.includes(' -- ') ? '' : ' --'} ${words.join(' ')}`;
}

function subcommandRows({ commands = {} }) {
  return Object.entries(commands).map(([name, { about }]) => [name, about]);
}

function optionRows({ json, options = {} }) {
  const all = { ...options, ...(json === true ? { json: JSON_OPTION } : {}) };
  return [
    ...Object.entries(all).map(([name, option]) => [
      `--${name}${option.value === undefined ? '' : option.alone === undefined ? ` ${option.value}` : ` [${option.value}]`}`,
      described(option),
    ]),
    ['--help', 'print this'],
    ['--version', 'print the version'],
  ];
}

function described({ about, alone, byDefault, choices, many }) {
  const usual = byDefault ?? alone;
  const notes = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
    ...(many ? ['can be repeated'] : []),
  ];
  return notes.length === 0 ? about : `${about} (${notes.join('; ')})`;
}

function settingsTitle({ settings = [] }) {
  const [[first] = ['']] = settings;
  const flag = `--${first.toLowerCase().replaceAll('_', '-')}`;
  return `Settings, from the environment or as options (${first}=… or ${flag} …), and their defaults:`;
}

function section(title, lines) {
  return lines.length === 0 ? [] : [title, '', ...rows(lines)];
}

/** Lines with aligned columns; the last column is not padded. */
function rows(lines) {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map(
    (line) =>
      `  ${line.map((cell, index) => (index === line.length - 1 ? cell : cell.padEnd(widths[index]))).join('  ')}`,
  );
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
