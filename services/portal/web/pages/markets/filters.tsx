import { useEffect, useRef, useState } from 'preact/hooks';
import { SEARCH_MAX } from '../../../src/pages/market-list-query.ts';
import type { MarketListQuery, MarketListSort, MarketListStatus } from '../../../src/pages/market-list-query.ts';
import { Choice, Field } from '../../ui/field.tsx';

const SORTS: readonly { readonly value: MarketListSort; readonly text: string }[] = [
  { value: 'activity', text: 'Most traded in 24 h' },
  { value: 'movement', text: 'Largest movement in 24 h' },
  { value: 'closing', text: 'Closing first' },
  { value: 'newest', text: 'Newest' },
];

const STATUSES: readonly { readonly value: MarketListStatus; readonly text: string }[] = [
  { value: 'active', text: 'Active' },
  { value: 'pending', text: 'Paused or closed' },
  { value: 'resolved', text: 'Resolved' },
];

/** A text is searched for once the person has stopped typing for this long. */
const TYPING_MS = 300;

export interface FiltersProps {
  readonly query: MarketListQuery;
  /** The sectors to choose from. */
  readonly sectors: readonly string[];
  readonly onQuery: (query: MarketListQuery) => void;
}

/** The filters and the order of the list. */
export function Filters({ query, sectors, onQuery }: FiltersProps) {
  const [text, setText] = useState(query.q);
  const timer = useRef(0);
  // The address changed by the Back button, or by a link.
  useEffect(() => setText(query.q), [query.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (q: string, afterMs: number): void => {
    setText(q);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onQuery({ ...query, q: q.trim() }), afterMs);
  };
  const offered = query.sector === '' || sectors.includes(query.sector) ? sectors : [query.sector, ...sectors];
  return (
    <form
      class="filters"
      role="search"
      aria-label="Markets"
      onSubmit={(event) => {
        event.preventDefault();
        search(text, 0);
      }}
    >
      <Field
        label="Search"
        type="search"
        placeholder="Title, ticker or company"
        maxLength={SEARCH_MAX}
        value={text}
        onValue={(value) => search(value, TYPING_MS)}
      />
      <Choice
        label="Sector"
        value={query.sector}
        options={[{ value: '', text: 'All' }, ...offered.map((value) => ({ value, text: value }))]}
        onValue={(sector) => onQuery({ ...query, sector })}
      />
      <Choice
        label="Status"
        value={query.status}
        options={STATUSES}
        onValue={(status) => onQuery({ ...query, status })}
      />
      <Choice label="Sort by" value={query.sort} options={SORTS} onValue={(sort) => onQuery({ ...query, sort })} />
    </form>
  );
}
