import { useAccount } from '../data/session/use-account.ts';
import { useBook } from '../live/use-book.ts';
import { useLive } from '../live/use-live.ts';
import { isOpen } from '../data/orders/open-orders.ts';
import { costOf } from '../pages/market/cost-of.ts';
import { LatestOnly } from '../pages/market/latest-only.ts';
import { pause } from '../pages/market/pause.ts';
import { TicketEntry } from '../pages/market/ticket-entry.tsx';
import { ticketAddress } from '../pages/market/ticket.ts';
import { Chart } from '../ui/chart.tsx';
import { FigureTable } from '../ui/figure-table.tsx';
import { Money } from '../ui/figures.tsx';
import { LiveBadge } from '../live/live-badge.tsx';
import { Segments } from '../ui/segments.tsx';
import { useThrottled } from '../ui/use-throttled.ts';
import { App } from './app.tsx';
import { useTitle } from '../base/use-title.ts';

/**
 * The code that several pages share. Each lazily loaded module imports this one (`sharedFirst` in src/pages/bundle.ts),
 * so that esbuild bundles the code into one file instead of some twenty. An export pulls in its module's imports.
 */
Object.freeze([
  [App, useTitle],
  [useAccount, useBook, useLive, useThrottled],
  [Chart, FigureTable, LiveBadge, Money, Segments],
  [ticketAddress, costOf, isOpen, LatestOnly, pause, TicketEntry],
]);
