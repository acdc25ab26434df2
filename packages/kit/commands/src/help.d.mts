import type { Declared } from './declaration.d.mts';

export function asksForHelp(args: readonly string[]): boolean;
export function helpOf(name: string, declared: Declared, asked?: string): string;
export function helpOfAll(commands: Readonly<Record<string, Declared>>): string;
export function exampleOf(call: string, command: Declared): string;
export function statusRows(command: Declared, declared: Declared): readonly (readonly [string, string])[];
