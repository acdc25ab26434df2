import type { CommandDeclaration } from './declaration.d.mts';

export function asksForHelp(args: readonly string[]): boolean;
export function helpOf(name: string, declared: CommandDeclaration, asked?: string): string;
export function helpOfAll(commands: Readonly<Record<string, CommandDeclaration>>): string;
export function exampleOf(call: string, command: CommandDeclaration): string;
export function exitCodeRows(
  command: CommandDeclaration,
  declared: CommandDeclaration,
): readonly (readonly [string, string])[];
