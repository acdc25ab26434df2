import { keyTextOf } from './name-store.ts';
import type { NameStore, NewName } from './name-store.ts';

export interface MemoryName extends NewName {
  pending: boolean;
}

/** Display names in memory, for tests and benchmarks without a database. */
export function createMemoryNames(rows = new Map<string, MemoryName>()): NameStore {
  return {
    store: (names) => {
      for (const name of names) rows.set(keyTextOf(name), { ...name, pending: true });
      return Promise.resolve();
    },
    settle: (names) => {
      for (const name of names) {
        const row = rows.get(keyTextOf(name));
        if (row !== undefined) row.pending = false;
      }
      return Promise.resolve();
    },
    drop: (names) => {
      for (const key of names.map(keyTextOf)) if (rows.get(key)?.pending === true) rows.delete(key);
      return Promise.resolve();
    },
    forget: (accountIds) => {
      for (const [key, { accountId }] of rows) if (accountIds.includes(accountId)) rows.delete(key);
      return Promise.resolve();
    },
    pending: () => {
      const pending = [...rows.values()].filter((row) => row.pending);
      return Promise.resolve(pending.map(({ accountId, digest }) => ({ accountId, digest })));
    },
    find: (name) => Promise.resolve(rows.get(keyTextOf(name))?.name ?? null),
    close: () => Promise.resolve(),
  };
}
