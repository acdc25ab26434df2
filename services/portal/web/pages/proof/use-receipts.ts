import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Receipt } from '../../data/receipts/receipt.ts';
import type { ReceiptStore } from '../../data/receipts/receipt-store.ts';
import type { SignedHead } from '../../data/receipts/signed-head.ts';

export interface StoredReceipts {
  /** Newest first; null before they were read. */
  readonly receipts: readonly Receipt[] | null;
  readonly heads: readonly SignedHead[];
  /** Whether the browser stores nothing, as in a private window. */
  readonly isRefused: boolean;
  /** Runs a change, and then reads again. */
  readonly change: <T>(work: (store: ReceiptStore) => Promise<T>) => Promise<T>;
}

type State = Omit<StoredReceipts, 'change'> & { readonly accountId: string | null };

const NOTHING: readonly Receipt[] = [];

export function useReceipts(accountId: string | null): StoredReceipts {
  const [state, setState] = useState<State>({ accountId, receipts: null, heads: [], isRefused: false });
  const change = useCallback(
    async <T>(work: (store: ReceiptStore) => Promise<T>): Promise<T> => {
      const { ReceiptStore: Store } = await import('../../data/receipts/receipt-store.ts');
      const store = await Store.open();
      try {
        const result = await work(store);
        const receipts = accountId === null ? NOTHING : await store.list(accountId);
        setState({ accountId, receipts, heads: await store.heads(), isRefused: false });
        return result;
      } finally {
        store.close();
      }
    },
    [accountId],
  );
  useEffect(() => {
    const read = (): void => {
      if (document.visibilityState !== 'visible') return;
      change(() => Promise.resolve()).catch(() => setState((before) => ({ ...before, isRefused: true })));
    };
    read();
    // Orders in another tab add receipts too.
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [change]);
  const isOther = state.accountId !== accountId;
  return { ...state, receipts: isOther ? null : state.receipts, change };
}
