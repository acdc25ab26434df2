/** What an account is shown as: its display name, or where that is gone what its id ends with. */
export function shownName(accountId: string, name: string | null): string {
  return name ?? `Trader ${accountId.slice(-6)}`;
}
