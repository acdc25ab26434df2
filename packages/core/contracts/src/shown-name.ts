/** The shown name of an account: its display name, or the end of its id where the name was erased. */
export function shownName(accountId: string, name: string | null): string {
  return name ?? `Trader ${accountId.slice(-6)}`;
}
