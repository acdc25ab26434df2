import type { MarketBody } from '@paper/contracts/markets';
import type { NewMarket, SettledMarketBody } from '@paper/contracts/operator';
import { countText, moneyText, OUTCOME_NAMES } from '../../ui/format.ts';
import type { FormField } from '../../ui/fields-form.tsx';
import type { Command } from './command-dialog.tsx';
import { operatorCommand } from './operator-calls.ts';
import { Payees } from './payees.tsx';

const CITATION: FormField = {
  label: 'Citation',
  hint: 'an http or https address.',
  isOptional: true,
  inputMode: 'url',
};

const LISTING = {
  title: { label: 'Title', hint: 'The question.' },
  id: { label: 'Id', hint: 'letters, digits, dots, underscores, colons and hyphens.', isOptional: true },
  ticker: { label: 'Ticker' },
  companySlug: { label: 'Company', hint: 'Such as acme.' },
  sector: { label: 'Sector' },
  category: { label: 'Category' },
  settlementSource: { label: 'Settlement source', hint: 'Where the outcome is read.' },
  prior: { label: 'Chance before the first trade', hint: '0.01 to 0.99' },
  closesAt: { label: 'Closes', hint: 'A time in UTC, such as 2028-12-31T23:59:00Z.' },
  citationUrl: CITATION,
  description: { label: 'Description', isOptional: true, as: 'lines' },
  status: {
    label: 'Status',
    as: [
      { value: 'active', text: 'Active: takes orders at once' },
      { value: 'pending', text: 'Scheduled: after it is activated' },
      { value: 'closed', text: 'Closed: after it is activated' },
    ],
  },
} as const satisfies { readonly [F in keyof NewMarket]?: FormField };

export const LIST_MARKET: Command<keyof typeof LISTING> = {
  title: 'List a market',
  action: 'List the market',
  inputs: LISTING,
  send: async ({ prior, ...texts }) => {
    // An empty field is not a number; the service then names the field in its error.
    const body = { ...texts, prior: prior.trim() === '' ? Number.NaN : Number(prior) };
    return `${(await operatorCommand<MarketBody>('POST', 'markets', body)).id} is listed.`;
  },
};

const pathOf = ({ id }: MarketBody, action: string): string => `markets/${encodeURIComponent(id)}/${action}`;

const closing = (market: MarketBody): Command<never> => ({
  title: 'Close this market to trading?',
  action: `Close ${market.id}`,
  kind: 'danger',
  cancel: 'Leave it open',
  about: (
    <>
      <p>{market.title}</p>
      <p>All its resting orders are cancelled. It can be activated again with a later closing time.</p>
    </>
  ),
  inputs: {},
  send: async () => {
    await operatorCommand('POST', pathOf(market, 'close'));
    return `${market.id} is closed.`;
  },
});

const resolving = (market: MarketBody): Command<'outcome' | 'headline' | 'source' | 'citationUrl'> => ({
  title: 'Resolve this market?',
  action: ({ outcome = '' }) => (outcome === '' ? 'Resolve' : `Resolve ${outcomeName(outcome)} for good`),
  kind: 'danger',
  about: <p>{market.title}</p>,
  inputs: {
    outcome: {
      label: 'Outcome',
      as: [
        { value: '', text: 'Choose the outcome' },
        { value: 'yes', text: OUTCOME_NAMES.yes },
        { value: 'no', text: OUTCOME_NAMES.no },
      ],
      below: (outcome) => <Payees marketId={market.id} yesPrice={outcome === '' ? null : outcome === 'yes' ? 1 : 0} />,
    },
    headline: { label: 'Headline', isOptional: true },
    source: { label: 'Source', isOptional: true },
    citationUrl: CITATION,
  },
  typed: { of: 'market', id: market.id },
  check: ({ outcome }) => (outcome === '' ? { outcome: 'Choose Yes or No.' } : {}),
  send: async (body) =>
    settledText(await operatorCommand('POST', pathOf(market, 'resolve'), body), outcomeName(body.outcome)),
});

const outcomeName = (outcome: string): string => OUTCOME_NAMES[outcome as 'yes' | 'no'];

const voiding = (market: MarketBody): Command<'price' | 'reason'> => ({
  title: 'Void this market?',
  action: 'Void for good',
  kind: 'danger',
  about: <p>{market.title}</p>,
  inputs: {
    price: {
      label: 'What a Yes share pays',
      hint: 'Dollars from 0 to 1, such as 0.5. A No share pays the rest of a dollar.',
      inputMode: 'decimal',
      below: (price) => <Payees marketId={market.id} yesPrice={priceOf(price)} />,
    },
    reason: { label: 'Reason', hint: 'Everyone can read it.' },
  },
  typed: { of: 'market', id: market.id },
  check: ({ price, reason }) => ({
    ...(priceOf(price) === null ? { price: 'This must be dollars from 0 to 1.' } : {}),
    ...(reason.trim() === '' ? { reason: 'Say why: everyone can read it.' } : {}),
  }),
  send: async ({ price, reason }) =>
    settledText(await operatorCommand('POST', pathOf(market, 'void'), { price: priceOf(price), reason }), 'void'),
});

function priceOf(text: string): number | null {
  if (!/^\s*\d*\.?\d+\s*$/.test(text)) return null;
  const price = Number(text);
  return price <= 1 ? price : null;
}

function settledText({ market, cancelledOrders, paid, settledAccounts }: SettledMarketBody, how: string): string {
  return `${market.id} ended ${how}: ${moneyText(paid)} was paid to ${countText(settledAccounts)} accounts, ${countText(cancelledOrders)} orders were cancelled.`;
}

export const MARKET_COMMANDS = { close: closing, resolve: resolving, void: voiding };
