import type { NameStore, NewName } from './name-store.ts';

/** A row of the table of names. */
export interface MemoryName extends NewName {
  pending: boolean;
}

/** Display names in memory, as long as the process lives: for tests and benchmarks without a database. */
export function createMemoryNames(rows = new Map<string, MemoryName>()): NameStore {
  return {
    store: (names) => {
      for (const name of names) rows.set(name.accountId, { ...name, pending: true });
      return Promise.resolve();
    },
    settle: (accountIds) => {
      for (const id of accountIds) {
        const row = rows.get(id);
        if (row !== undefined) row.pending = false;
      }
      return Promise.resolve();
    },
    drop: (accountIds) => {
      for (const id of accountIds) if (rows.get(id)?.pending === true) rows.delete(id);
      return Promise.resolve();
    },
    forget: (accountIds) => {
      for (const id of accountIds) rows.delete(id);
      return Promise.resolve();
    },
    pending: () =>
      Promise.resolve([...rows.values()].filter(({ pending }) => pending).map(({ accountId }) => accountId)),
    find: (accountId) => Promise.resolve(rows.get(accountId)?.name ?? null),
    close: () => Promise.resolve(),
  };
}
