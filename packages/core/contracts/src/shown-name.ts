/** The shown name of an account: its display name, or the end of its id if the name was erased. */
export function shownName(accountId: string, name: string | null): string {
  return name ?? `Trader ${accountId.slice(-6)}`;
}

/** The shown name of a key whose name was forgotten together with its account's. */
export const FORGOTTEN_KEY_NAME = 'forgotten';
