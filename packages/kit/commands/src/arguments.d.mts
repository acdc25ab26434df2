import type { CommandDeclaration } from './declaration.d.mts';

export class UsageError extends Error {}

export interface ParsedArguments {
  readonly subcommand: string | null;
  readonly args: readonly (string | number)[];
  /** The command after `--`, of a command that runs one. */
  readonly runs?: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, string>>;
}

export function parseArguments(name: string, declared: CommandDeclaration, argv: readonly string[]): ParsedArguments;
