import type { MarketBody, OrderBookBody, RecentTradeBody } from '@paper/contracts/markets';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { marketReads, marketTitle } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';
import { lazy } from '../../base/lazy.tsx';
import { memo } from '../../base/memo.tsx';
import type { PageProps } from '../page-props.ts';
import { useSession } from '../../data/session/session.tsx';
import { useTitle } from '../../base/use-title.ts';
import { useAccount, useOwnPortfolio } from '../../data/session/use-account.ts';
import { useBook } from '../../live/use-book.ts';
import { useLive } from '../../live/use-live.ts';
import { isOpen } from '../../data/orders/open-orders.ts';
import type { ListedOrder } from '../../data/orders/open-orders.ts';
import type { OrdersTableProps } from '../../data/orders/orders-table.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { Cited } from './cited.tsx';
import { holdingText, MarketBook } from './market-book.tsx';
import { AboutMarket, isOver, MarketFigures, MarketHead } from './market-head.tsx';
import type { PricePanelProps } from './price-panel.tsx';
import { RecentTrades, joinTrades } from './recent-trades.tsx';
import type { SettledCardProps } from './settled-card.tsx';
import { TicketPlace } from './ticket-place.tsx';
import { Timeline, useMarketEvents } from './timeline.tsx';
import { useThrottled } from '../../ui/use-throttled.ts';
import { useMarketAsOf } from './use-past.ts';
import type { Moment } from './use-past.ts';
import { useTicket } from './use-ticket.ts';

const OrdersTable = lazy<OrdersTableProps<ListedOrder>>(() => import('../../data/orders/orders-table.tsx'));

// The lazy parts are not needed at the first paint.
const LazyPricePanel = lazy<PricePanelProps>(
  () => import('./price-panel.tsx'),
  <section class="card price-panel" aria-label="Chart" aria-busy />,
);

// The book changes ten times a second, and the ticket with each key; these parts are not rendered with them.
const Head = memo(MarketHead);
const Figures = memo(MarketFigures);
const Ladder = memo(MarketBook);
const PricePanel = memo(LazyPricePanel);
const Trades = memo(RecentTrades);
const News = memo(Timeline);
const About = memo(AboutMarket);

// Most visits are to markets in trading.
const SettledCard = lazy<SettledCardProps>(
  () => import('./settled-card.tsx'),
  <section class="card ticket" aria-label="Outcome" aria-busy />,
);

const MARKET_EVERY_MS = 15_000;
/** The shortest time between reads of candles, and of previews, while book and trades change. */
const CANDLES_MS = 3_000;
const PREVIEW_MS = 1_500;
const PAST_IS_PRIVATE = 'Sign in to see the book and your shares of a past moment.';

export default function MarketPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const reads = marketReads(id);
  const market = useRead<MarketBody>(reads.market, { everyMs: MARKET_EVERY_MS });
  useTitle(market.data === null ? null : marketTitle(market.data));
  if (market.data !== null) return <LoadedMarket key={id} market={market.data} onStale={market.reload} />;
  if (market.error?.code === 'market_not_found') {
    return (
      <>
        <h1>No such market</h1>
        <Notice kind="error">{market.error.message}</Notice>
        <p>
          Look for it in <a href="/">all markets</a>.
        </p>
      </>
    );
  }
  return (
    <>
      <h1>Market</h1>
      <ReadNotice data={null} error={market.error} />
    </>
  );
}

function LoadedMarket({ market, onStale }: { readonly market: MarketBody; readonly onStale: () => void }) {
  const { id } = market;
  const { person } = useSession();
  const [ticket, change] = useTicket(id);
  const [moment, setMoment] = useState<Moment | null>(null);
  const live = useLiveMarket(market, onStale);
  const news = useMarketEvents(id);
  const own = useOwn(id, person !== null);
  const past = useMarketAsOf(id, person === null ? null : (moment?.seq ?? null));
  const tradesSeen = useThrottled(live.trades[0]?.id ?? '', CANDLES_MS);
  const bookTurn = useThrottled(live.seq, PREVIEW_MS);
  const quotes = live.quotes ?? market;
  const isPast = moment !== null;
  const shown = isPast && person !== null ? past.past : null;
  return (
    <div class="market">
      <Head market={market} />
      <Figures market={market} quotes={quotes} />
      {isOver(market) && (
        <SettledCard market={market} settled={own.portfolio?.settled ?? null} news={news.data} cited={Cited} />
      )}
      <PricePanel
        market={market}
        probability={quotes.probability}
        tradesSeen={tradesSeen}
        moment={moment}
        onMoment={setMoment}
        news={news.data}
      />
      {(isPast || market.phase === 'active' || market.phase === 'paused') && (
        <Ladder
          book={isPast ? (shown?.book ?? null) : live.book}
          outcome={ticket.outcome}
          onTicket={change}
          orders={person === null || isPast ? null : own.orders}
          isPast={isPast}
          isLoading={isPast && past.isLoading}
          state={live.state}
          problem={isPast && person === null ? PAST_IS_PRIVATE : (past.error?.message ?? null)}
          kind={isPast || market.phase !== 'active' ? null : ticket.kind}
          holding={isPast ? (shown === null ? null : holdingText(shown.holding, 'held')) : own.holding}
        />
      )}
      {market.phase === 'active' && (
        <TicketPlace
          market={market}
          quotes={quotes}
          book={live.book}
          ticket={ticket}
          onTicket={change}
          bookTurn={bookTurn}
          portfolio={own.portfolio}
          isPast={isPast}
        />
      )}
      <div class="market-lower">
        <OwnOrders own={own} marketId={id} accountId={person?.accountId ?? null} />
        <News data={news.data} error={news.error} next={news.next} />
        <About market={market} />
      </div>
      <Trades trades={live.trades} outcome={ticket.outcome} />
    </div>
  );
}

interface OwnOrdersProps {
  readonly own: Pick<ReturnType<typeof useOwn>, 'orders' | 'reload'>;
  readonly marketId: string;
  readonly accountId: string | null;
}

function OwnOrders({ own: { orders, reload }, marketId, accountId }: OwnOrdersProps) {
  if (orders.length === 0) return null;
  return (
    <section class="card own-orders" aria-labelledby="own-heading">
      <h2 id="own-heading">Your open orders</h2>
      <OrdersTable
        caption="Your open orders in this market"
        marketId={marketId}
        orders={orders}
        accountId={accountId}
        onChange={reload}
      />
    </section>
  );
}

/** The market's book, trades and quotes, live once the streams have begun. */
function useLiveMarket(market: MarketBody, onStale: () => void) {
  const reads = marketReads(market.id);
  const readBook = useRead<OrderBookBody>(reads.book);
  const readTrades = useRead<readonly RecentTradeBody[]>(reads.trades);
  const { book, state, trades } = useBook(market.id);
  const pulse = useLive([market.id]).markets.get(market.id);
  const isStale = pulse !== undefined && pulse.status !== market.status;
  useEffect(() => {
    if (isStale) onStale();
  }, [isStale, onStale]);
  return {
    book: book ?? readBook.data?.yes ?? null,
    seq: book?.seq ?? 0,
    trades: useMemo(() => joinTrades(readTrades.data ?? [], trades), [readTrades.data, trades]),
    quotes: pulse !== undefined && pulse.seq >= market.seq ? pulse : null,
    state,
  };
}

function useOwn(marketId: string, isSignedIn: boolean) {
  const { version } = useAccount();
  const { data, reload } = useOwnPortfolio(isSignedIn, { version });
  const held = data?.positions.find((position) => position.marketId === marketId);
  // The same array until the next read, so that a change of the book does not render the orders again.
  const orders = useMemo(
    () => data?.orders.filter((order) => order.marketId === marketId && isOpen(order)) ?? [],
    [data, marketId],
  );
  return {
    portfolio: data,
    orders,
    holding: data === null ? null : `You hold ${held?.yesShares ?? 0} Yes and ${held?.noShares ?? 0} No.`,
    reload,
  };
}
