import type { LedgerEntryBody } from '@paper/contracts/journal';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import type { CallError } from '../../base/call-error.ts';
import { apiGet, isAbort } from '../../data/api/calls.ts';
import { EquityFold, thinned } from './equity.ts';
import type { EquityPoint } from './equity.ts';
import { LedgerTail } from './ledger-tail.ts';

/** A fleet has one ledger, which its person's own key reads. */
const LEDGER = '/portal/as/me/ledger?limit=500';
/** 20,000 movements: a chart of more would take too long to begin. */
const PAGES_MAX = 40;
const POINTS_MAX = 400;
const NO_ENTRIES: readonly LedgerEntryBody[] = [];

export interface Equity {
  readonly points: readonly EquityPoint[];
  /** Whether the ledger is read to its end. */
  readonly isWhole: boolean;
  readonly error: CallError | null;
}

/**
 * The equity of an account from the ledger of its fleet.
 *
 * @param accountId null: of the whole fleet together
 * @param version the ledger is read on when it changes
 */
export function useEquity(accountId: string | null, version: number): Equity {
  const [entries, setEntries] = useState(NO_ENTRIES);
  const [isWhole, setIsWhole] = useState(true);
  const [error, setError] = useState<CallError | null>(null);
  const tail = useRef(new LedgerTail(LEDGER));
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    tail.current
      .readOn((path) => apiGet<readonly LedgerEntryBody[]>(path, { signal }), PAGES_MAX)
      .then((ended) => {
        setIsWhole(ended);
        setError(null);
        setEntries([...tail.current.entries]);
      })
      .catch((failed: unknown) => {
        if (!isAbort(failed)) setError(toCallError(failed));
      });
    return () => aborting.abort();
  }, [version]);
  const points = useMemo(() => pointsOf(entries, accountId), [entries, accountId]);
  return { points, isWhole, error };
}

function pointsOf(entries: readonly LedgerEntryBody[], accountId: string | null): readonly EquityPoint[] {
  const fold = new EquityFold();
  for (const entry of entries) if (accountId === null || entry.accountId === accountId) fold.take(entry);
  return thinned(fold.points, POINTS_MAX);
}
