import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { marketListAddress, SEARCH, SEARCH_MAX } from '../../../src/pages/market-list-query.ts';
import type { MarketListQuery } from '../../../src/pages/market-list-query.ts';

/** The links to lists. On a phone, those after the fourth are hidden unless they are open. */
export const LISTS = [
  { text: 'Trending', sort: 'activity', status: 'active' },
  { text: 'Closing soon', sort: 'closing', status: 'active' },
  { text: 'New', sort: 'newest', status: 'active' },
  { text: 'Settled', sort: 'newest', status: 'resolved' },
  { text: 'Moving', sort: 'movement', status: 'active' },
  { text: 'Paused or closed', sort: 'newest', status: 'pending' },
] as const;

const TYPING_MS = 300;

type SearchProps = Readonly<{ query: MarketListQuery; onQuery: (query: MarketListQuery) => void }>;

export function Search({ query, onQuery }: SearchProps) {
  const [text, setText] = useState(query.q);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  // The address changed by the Back button, or by a link.
  useEffect(() => setText(query.q), [query.q]);
  useEffect(() => {
    // The person pressed the shortcut of the search on another page.
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
        placeholder="Search"
        title="By title, ticker or company"
        maxLength={SEARCH_MAX}
        value={text}
        onInput={({ currentTarget }) => search(currentTarget.value, TYPING_MS)}
      />
    </form>
  );
}

export interface ChoicesProps {
  readonly query: MarketListQuery;
  readonly label: string;
  readonly form: 'lists' | 'chips';
  readonly options: readonly (Partial<MarketListQuery> & { readonly text: string })[];
}

export function Choices({ query, label, form, options }: ChoicesProps) {
  return (
    <nav class={form} aria-label={label}>
      {options.map(({ text, ...change }) => {
        const address = marketListAddress({ ...query, ...change });
        const isOpen = address === marketListAddress(query);
        return (
          <Link key={text} href={address} replace aria-current={isOpen ? 'true' : undefined}>
            {text}
          </Link>
        );
      })}
    </nav>
  );
}
