import { csv } from '../../src/csv.ts';
import type { JournalLineBody } from '../../src/journal/journal-line.ts';
import { LEDGER_COLUMNS, LedgerEntry } from '../../src/journal/ledger.ts';
import type { LedgerEntryView } from '../../src/journal/ledger.ts';
import { DAY_MS } from '../../src/units.ts';
import {
  EXAMPLE_ACCOUNT_ID,
  EXAMPLE_MARKET_ID,
  EXAMPLE_NOW,
  EXAMPLE_ORDER_ID,
  EXAMPLE_SETTLED_MARKET_ID,
  EXAMPLE_TRADE_ID,
  exampleAccount,
  exampleAmounts,
  exampleFill,
  exampleSettledMarket,
} from './data.ts';

/** The journal and the ledger of the examples: the same movements that the portfolio adds up. */

const settledAt = exampleSettledMarket.resolvedAt ?? EXAMPLE_NOW;

const noShares = { marketId: null, outcome: null, shares: 0, priceUnits: null, orderId: null } as const;
const settledShares = { marketId: EXAMPLE_SETTLED_MARKET_ID, outcome: 'no' } as const;
const movements: readonly Omit<LedgerEntryView, 'accountId'>[] = [
  {
    seq: 901,
    eventId: '019a9e3a-7c00-7d11-8c3f-5a7b9d2e4f60',
    type: 'AccountOpened',
    at: Date.parse(exampleAccount.createdAt),
    cashUnits: exampleAmounts.startingBalanceUnits,
    ...noShares,
  },
  {
    seq: 934,
    eventId: '019a9e9c-1f00-7b3a-9d52-7c1e4a6f8b25',
    type: 'OrderFilled',
    at: settledAt - DAY_MS / 4,
    cashUnits: -160_000,
    ...settledShares,
    shares: 20,
    priceUnits: 8000,
    orderId: '019a9e9c-1f00-7e44-b8a6-3d5f7c9b1e80',
  },
  {
    seq: 960,
    eventId: '019a9fb2-8400-7a6d-b1c7-2e5f8d9a3b48',
    type: 'PositionSettled',
    at: settledAt,
    cashUnits: 200_000,
    ...settledShares,
    shares: -20,
    priceUnits: 10_000,
    orderId: null,
  },
  {
    seq: exampleFill.seq,
    eventId: EXAMPLE_TRADE_ID,
    type: 'OrderFilled',
    at: exampleFill.createdAt,
    cashUnits: -exampleFill.priceUnits * exampleFill.quantity,
    marketId: EXAMPLE_MARKET_ID,
    outcome: 'yes',
    shares: exampleFill.quantity,
    priceUnits: exampleFill.priceUnits,
    orderId: EXAMPLE_ORDER_ID,
  },
];

export const exampleLedger = movements.map((view) => LedgerEntry.body({ ...view, accountId: EXAMPLE_ACCOUNT_ID }));
export const exampleLedgerCsv = csv(
  LEDGER_COLUMNS,
  exampleLedger.map((entry) => LEDGER_COLUMNS.map((column) => entry[column])),
);

/** The hash and the digest belong to an event that is not shown: only a whole journal can be checked. */
export const exampleJournalLine: JournalLineBody = {
  hash: '91ac9aa9d277087e6b54fb5217d12a98912f92269b6b3e450922f714c82d7fa3',
  id: EXAMPLE_TRADE_ID,
  privateDigest: '0'.repeat(64),
  publicText: JSON.stringify({
    event: { at: exampleFill.createdAt, marketId: EXAMPLE_MARKET_ID, type: 'OrderFilled' },
    seq: exampleFill.seq,
  }),
  seq: exampleFill.seq,
  type: 'OrderFilled',
};
