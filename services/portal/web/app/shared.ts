import { Component } from 'preact';
import { useState } from 'preact/hooks';
import { jsx } from 'preact/jsx-runtime';
import { Link } from 'wouter-preact';
import { apiGet } from '../data/api/calls.ts';
import { useRead } from '../data/api/use-read.ts';
import { useAccount } from '../data/session/use-account.ts';
import { useBook } from '../live/use-book.ts';
import { useLive } from '../live/use-live.ts';
import { isOpen } from '../data/orders/open-orders.ts';
import { costOf } from '../pages/market/cost-of.ts';
import { LatestOnly } from '../pages/market/latest-only.ts';
import { OUTCOMES } from '../pages/market/outcomes.ts';
import { pause } from '../pages/market/pause.ts';
import { TicketEntry } from '../pages/market/ticket-entry.tsx';
import { addressOf } from '../pages/market/ticket.ts';
import { Chart } from '../ui/chart.tsx';
import { FigureTable } from '../ui/figure-table.tsx';
import { Money } from '../ui/figures.tsx';
import { moneyText } from '../ui/format.ts';
import { LiveBadge } from '../live/live-badge.tsx';
import { ReadNotice } from '../ui/read-notice.tsx';
import { Segments } from '../ui/segments.tsx';
import { useThrottled } from '../ui/use-throttled.ts';
import { App } from './app.tsx';
import { useTitle } from '../base/use-title.ts';

/**
 * The code that all pages and late parts share. Each of them imports this module (`sharedFirst` in
 * src/pages/bundle.ts), so that esbuild puts it into one file instead of some twenty. One export of each module is
 * enough; its imports come with it.
 */
Object.freeze([
  [Component, useState, jsx, Link, App, useTitle],
  [apiGet, useRead, useAccount, useBook, useLive, useThrottled],
  [Chart, FigureTable, LiveBadge, Money, moneyText, ReadNotice, Segments],
  [addressOf, costOf, isOpen, LatestOnly, OUTCOMES, pause, TicketEntry],
]);
