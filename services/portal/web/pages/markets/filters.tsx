import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { marketListAddress, SEARCH, SEARCH_MAX } from '../../../src/pages/market-list-query.ts';
import type { MarketListQuery } from '../../../src/pages/market-list-query.ts';

type Order = Pick<MarketListQuery, 'sort' | 'status'>;

/** The lists that are one click away, and those that only an address has, which are shown while they are open. */
const TABS: readonly (Order & { readonly text: string; readonly isExtra?: true })[] = [
  { text: 'Trending', sort: 'activity', status: 'active' },
  { text: 'Closing soon', sort: 'closing', status: 'active' },
  { text: 'New', sort: 'newest', status: 'active' },
  { text: 'Settled', sort: 'newest', status: 'resolved' },
  { text: 'Moving', sort: 'movement', status: 'active', isExtra: true },
  { text: 'Paused or closed', sort: 'newest', status: 'pending', isExtra: true },
];

/** A text is searched for once the person has stopped typing for this long. */
const TYPING_MS = 300;

export interface SearchProps {
  readonly query: MarketListQuery;
  readonly onQuery: (query: MarketListQuery) => void;
}

/** The field for words to search for. */
export function Search({ query, onQuery }: SearchProps) {
  const [text, setText] = useState(query.q);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  // The address changed by the Back button, or by a link.
  useEffect(() => setText(query.q), [query.q]);
  useEffect(() => {
    // The key of the search was pressed on another page.
    if (history.state === SEARCH) field.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);
  const search = (q: string, afterMs: number): void => {
    setText(q);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onQuery({ ...query, q: q.trim() }), afterMs);
  };
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(text, 0);
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label="Search"
        aria-keyshortcuts="/"
        placeholder="Search by title, ticker or company"
        maxLength={SEARCH_MAX}
        value={text}
        onInput={({ currentTarget }) => search(currentTarget.value, TYPING_MS)}
      />
    </form>
  );
}

export interface FiltersProps {
  readonly query: MarketListQuery;
  /** The sectors to choose from. */
  readonly sectors: readonly string[];
}

/** The lists, as tabs. */
export function Tabs({ query }: Pick<FiltersProps, 'query'>) {
  const isOpen = ({ sort, status }: Order): boolean => sort === query.sort && status === query.status;
  return (
    <nav class="lists" aria-label="Lists of markets">
      {TABS.map((tab) => (
        <Choice
          key={tab.text}
          query={{ ...query, sort: tab.sort, status: tab.status }}
          text={tab.text}
          isChosen={isOpen(tab)}
          isExtra={tab.isExtra === true}
        />
      ))}
    </nav>
  );
}

/** The sectors, as chips. */
export function Sectors({ query, sectors }: FiltersProps) {
  const offered = query.sector === '' || sectors.includes(query.sector) ? sectors : [query.sector, ...sectors];
  return (
    <nav class="chips" aria-label="Sectors">
      {['', ...offered].map((sector) => (
        <Choice
          key={sector}
          query={{ ...query, sector }}
          text={sector === '' ? 'All' : sector}
          isChosen={sector === query.sector}
        />
      ))}
    </nav>
  );
}

interface ChoiceProps {
  readonly query: MarketListQuery;
  readonly text: string;
  readonly isChosen: boolean;
  /** It stands behind the others, quietly. */
  readonly isExtra?: boolean;
}

function Choice({ query, text, isChosen, isExtra = false }: ChoiceProps) {
  return (
    <Link
      href={marketListAddress(query)}
      replace
      class={isExtra ? 'extra' : undefined}
      aria-current={isChosen ? 'true' : undefined}
    >
      {text}
    </Link>
  );
}
