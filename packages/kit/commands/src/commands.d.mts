import type { CommandDeclaration } from './declaration.d.mts';

export const COMMANDS: Readonly<Record<string, CommandDeclaration>>;
