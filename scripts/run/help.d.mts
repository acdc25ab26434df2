export const COMMANDS: Readonly<Record<string, { readonly about: string }>>;
export function helpOf(name: string): string | null;
export function helpOfAll(): string;
