import type { ListedOrder } from '../../data/orders/open-orders.ts';
import { useMemo } from 'preact/hooks';
import { countText, moneyText, OUTCOME_NAMES, OUTCOMES } from '../../ui/format.ts';
import type { LiveState } from '../../live/live-state.ts';
import { LiveBadge } from '../../live/live-badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { LADDER_ROWS, LadderTable } from './ladder.tsx';
import { ladderOf } from './ladder-rows.ts';
import type { Book } from './ladder-rows.ts';
import type { Ticket } from './ticket.ts';
import type { Holding } from './use-past.ts';

const EMPTY: Book = { bids: [], asks: [] };
const NO_ORDERS: readonly ListedOrder[] = [];

export interface MarketBookProps {
  readonly book: Book | null;
  readonly outcome: 'yes' | 'no';
  readonly onTicket: (change: Partial<Ticket>) => void;
  /** The ticket's kind of order; a click on a row sets the order's price. Null without a ticket. */
  readonly kind: Ticket['kind'] | null;
  /** The person's own orders; null if nobody is signed in, or the book is historical. */
  readonly orders: readonly ListedOrder[] | null;
  readonly isPast: boolean;
  readonly isLoading: boolean;
  readonly state: LiveState;
  readonly problem: string | null;
  readonly holding: string | null;
}

export function MarketBook(props: MarketBookProps) {
  const { book, outcome, onTicket, kind, orders, isPast, isLoading, state, problem, holding } = props;
  const ladder = useMemo(
    () => ladderOf(book ?? EMPTY, outcome, orders ?? NO_ORDERS, LADDER_ROWS),
    [book, outcome, orders],
  );
  return (
    <section class={`card book${isPast ? ' past' : ''}`} aria-labelledby="book-heading" aria-busy={isLoading}>
      <div class="panel-head">
        <h2 id="book-heading">Order book</h2>
        <Segments label="Prices of" value={outcome} options={OUTCOMES} onValue={(to) => onTicket({ outcome: to })} />
      </div>
      {problem !== null && <Notice kind="warning">{problem}</Notice>}
      <LadderTable
        ladder={ladder}
        caption={`Orders to sell and to buy ${OUTCOME_NAMES[outcome]}, in dollars a share`}
        onPrice={
          kind === null
            ? null
            : (price) => onTicket({ price: String(price), ...(kind === 'market' ? { kind: 'limit' } : {}) })
        }
      />
      <p class="book-holding">{holding}</p>
      {isPast ? <p class="book-past">As it was then, not now</p> : <LiveBadge state={state} />}
    </section>
  );
}

export function holdingText(holding: Holding | null, verb: 'hold' | 'held'): string {
  if (holding === null) return 'Your account was not open yet.';
  const shares = `${countText(holding.yesShares)} Yes and ${countText(holding.noShares)} No`;
  return `You ${verb} ${shares}; cash ${moneyText(holding.cash)}.`;
}
