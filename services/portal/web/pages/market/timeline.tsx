import type { MarketEventsBody, TimelineEntryBody } from '@paper/contracts/signals';
import { useEffect, useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { apiGet } from '../../data/api/calls.ts';
import { useRead } from '../../data/api/use-read.ts';
import type { Read } from '../../data/api/use-read.ts';
import { whenIdle } from '../../base/when-idle.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { percentText, priceText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Cited } from './cited.tsx';

const REFRESH_MS = 20_000;
/** The events of a page of the list, trades included. */
const PAGE = 100;

/** Reads a market's newest events, once the page is idle, for all its parts. */
export function useMarketEvents(marketId: string): Read<MarketEventsBody> {
  const path = `/api/markets/${encodeURIComponent(marketId)}/events?limit=${PAGE}`;
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => whenIdle(() => setIsIdle(true)), []);
  return useRead<MarketEventsBody>(isIdle ? path : null, { everyMs: REFRESH_MS });
}

export type TimelineProps = Pick<Read<MarketEventsBody>, 'data' | 'error' | 'next'>;

export function Timeline({ data, error: failure, next }: TimelineProps) {
  const older = useOlder(next);
  const entries = [...(data?.timeline ?? []).toReversed(), ...older.entries].filter(({ kind }) => kind !== 'trade');
  const error = failure ?? older.error;
  return (
    <section class="card timeline" aria-labelledby="timeline-heading">
      <h2 id="timeline-heading">News</h2>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      {data !== null && entries.length === 0 && older.next === null && <p class="quiet">No news was cited yet.</p>}
      <ol>
        {entries.map((entry) => (
          <Entry key={`${entry.date} ${entry.externalId} ${entry.headline}`} entry={entry} />
        ))}
      </ol>
      {older.next !== null && (
        <Button onClick={older.read} isBusy={older.isLoading}>
          Look for older news
        </Button>
      )}
    </section>
  );
}

function Entry({ entry }: { readonly entry: TimelineEntryBody }) {
  const { citationUrl, date, factValue, fairProb, headline, marketProbAfter, marketProbBefore, source, threshold } =
    entry;
  const moved = marketProbBefore !== null && marketProbAfter !== null && marketProbBefore !== marketProbAfter;
  return (
    <li>
      <p class="headline">
        <Cited text={headline} address={citationUrl} />
      </p>
      <p class="quiet">
        <Time at={date} /> · {source}
        {fairProb !== null && <> · its fair value {percentText(fairProb)}</>}
        {factValue !== null && <> · value {priceText(factValue)}</>}
        {threshold !== null && <> · threshold {priceText(threshold)}</>}
        {moved && (
          <>
            {' '}
            · market {percentText(marketProbBefore)} → {percentText(marketProbAfter)}
          </>
        )}
      </p>
    </li>
  );
}

function useOlder(first: string | null) {
  const [entries, setEntries] = useState<readonly TimelineEntryBody[]>([]);
  // Undefined until an older page was read.
  const [after, setAfter] = useState<string | null | undefined>(undefined);
  const [error, setError] = useState<Error | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const next = after === undefined ? first : after;
  const read = (): void => {
    if (next === null) return;
    setIsLoading(true);
    apiGet<MarketEventsBody>(next)
      .then(({ body, next: further }) => {
        setEntries((before) => [...before, ...body.timeline.toReversed()]);
        setAfter(further);
        setError(null);
      })
      .catch((failed: unknown) => setError(toCallError(failed)))
      .finally(() => setIsLoading(false));
  };
  return { entries, error, isLoading, next, read };
}
