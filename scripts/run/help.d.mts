type Setting = readonly [name: string, byDefault: string, what: string];
export const START_SETTINGS: readonly Setting[];
export const COMMANDS: Readonly<Record<string, { readonly about: string }>>;
export function helpOf(name: string): string | null;
export function helpOfAll(): string;
