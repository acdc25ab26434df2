import type { Declared } from './declaration.d.mts';

export const COMMANDS: Readonly<Record<string, Declared>>;
