import { print, printError } from '@paper/runtime';
import { parseArguments } from './arguments.mjs';
import type { ParsedArguments } from './arguments.mjs';
import { COMMANDS } from './commands.mjs';
import type { CommandDeclaration } from './declaration.d.mts';
import { asksForHelp, helpOf } from './help.mjs';
import { endIfInterrupted, endOnSignals } from './interruption.ts';

/** The arguments of a command, checked against its declaration; `options` by their names in camel case. */
export interface Given<O> {
  readonly args: readonly (string | number)[];
  readonly runs: readonly string[];
  readonly options: O & { readonly json?: true };
}

/** The work of a command. It returns false if it ran but found a fault or failed in part: exit code 1. */
export type Work<O> = (given: Given<O>) => Promise<boolean> | Promise<void>;

/**
 * Runs a declared command on this process's arguments: the whole of a program. `work` is that of the command, or of
 * each subcommand. Exit codes: 0 done; 1 the work returned false; 2 it threw, or the arguments are wrong; 128 + a
 * signal.
 */
export async function runCommand<O>(name: string, work: Work<O> | Readonly<Record<string, Work<O>>>): Promise<void> {
  const given = startCommand<O>(name);
  const chosen = typeof work === 'function' ? work : work[given.subcommand ?? ''];
  if (chosen === undefined) throw new Error(`no work is defined for ${given.subcommand ?? name}`);
  try {
    if ((await chosen(given)) === false) process.exitCode = 1;
    endIfInterrupted();
  } catch (error) {
    endIfInterrupted();
    printError(error);
    process.exitCode = 2;
  }
}

/** Reads this process's arguments as those of a declared command, and puts settings into the environment. */
export function startCommand<O>(name: string): Given<O> & { readonly subcommand: string | null } {
  const declared = COMMANDS[name];
  if (declared === undefined) throw new Error(`no command ${name} is declared`);
  const argv = process.argv.slice(2);
  if (asksForHelp(argv)) {
    process.stdout.write(helpOf(name, declared, argv[0]));
    process.exit(0);
  }
  // A reader such as `head` may close the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { args, options, runs = [], settings, subcommand } = argumentsOr2(name, declared, argv);
  applySettings(settings);
  endOnSignals(remainsOf(declared, subcommand));
  return { args, options: options as Given<O>['options'], runs, subcommand };
}

function argumentsOr2(name: string, declared: CommandDeclaration, argv: readonly string[]): ParsedArguments {
  try {
    return parseArguments(name, declared, argv);
  } catch (error) {
    printError(error);
    return process.exit(2);
  }
}

/** Prints facts as JSON if --json asks for them, else lines for people. */
export function report(options: { readonly json?: true }, facts: unknown, ...lines: readonly string[]): void {
  if (options.json === true) print(JSON.stringify(facts));
  else for (const line of lines) print(line);
}

/** Puts settings into the environment, which they override whichever of a setting's names it uses. */
function applySettings(settings: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(settings)) {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
    process.env[other] = '';
    // The former name of JOURNAL_URL would contradict the option, so it is cleared.
    if (/^(JOURNAL|EVENTSTORE)_URL/.test(name)) process.env['EVENTSTORE_URL'] = '';
    process.env[name.replace('EVENTSTORE_URL', 'JOURNAL_URL')] = value;
  }
}

function remainsOf(declared: CommandDeclaration, subcommand: string | null): string {
  const command = subcommand === null ? declared : declared.commands?.[subcommand];
  return command?.interrupted ?? declared.interrupted ?? 'Nothing remains.';
}
