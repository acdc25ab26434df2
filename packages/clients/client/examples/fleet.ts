/**
 * A fleet of three bots, each with a sub-account and a key that may do no more than it must:
 *
 * - the reader may look, and nothing else
 * - the buyer may trade in one market, for 5 dollars an order and 20 a day
 * - the seller may only sell
 *
 *   PAPER_BASE_URL=http://127.0.0.1:4000 PAPER_API_KEY=svc_live_… MARKET=apple-services-record-2027 npx tsx fleet.ts
 *
 * PAPER_API_KEY is a primary account's, with the permissions view, trade and master.
 */
import { ApiRefusal, createClient, Forbidden, MandateExceeded } from 'paper-trading-client';
import type { Api, PaperTradingClient } from 'paper-trading-client';

const { PAPER_BASE_URL = 'http://127.0.0.1:4000', PAPER_API_KEY, MARKET } = process.env;
const owner = createClient({ baseUrl: PAPER_BASE_URL, key: PAPER_API_KEY });
const [mostActive] = await owner.fetchMarkets({ sort: 'activity', limit: 1 });
const marketId = MARKET ?? mostActive?.id ?? '';

interface Bot {
  readonly name: string;
  readonly permissions: readonly ('view' | 'trade')[];
  readonly mandate: Api.Mandate | null;
}

const BOTS: readonly Bot[] = [
  { name: 'Reader', permissions: ['view'], mandate: null },
  {
    name: 'Buyer',
    permissions: ['view', 'trade'],
    mandate: { maxOrderCost: 5, spendPerDay: 20, marketIds: [marketId] },
  },
  { name: 'Seller', permissions: ['view', 'trade'], mandate: { reduceOnly: true } },
];

/** Opens the bot's sub-account, and limits its key before anything uses it. */
async function start({ mandate, name, permissions }: Bot): Promise<{ client: PaperTradingClient; keyId: string }> {
  const { apiKey } = await owner.createSubAccount({ displayName: `Fleet ${name}`, permissions: [...permissions] });
  if (mandate !== null) await owner.setMandate(apiKey.id, mandate);
  return { client: createClient({ baseUrl: PAPER_BASE_URL, key: apiKey.rawKey }), keyId: apiKey.id };
}

/** Prints the result of an order; a refusal is a normal result. */
async function tries(who: string, what: string, work: () => Promise<Api.Order>): Promise<void> {
  try {
    const { filledQty, status } = await work();
    process.stdout.write(`${who} ${what}: ${status}, ${filledQty} filled\n`);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const kind =
      error instanceof MandateExceeded
        ? 'its mandate says no'
        : error instanceof Forbidden
          ? 'its key says no'
          : 'refused';
    process.stdout.write(`${who} ${what}: ${kind} (${error.message})\n`);
  }
}

const fleet = await Promise.all(BOTS.map(start));
const [reader, buyer, seller] = fleet.map(({ client }) => client);
if (reader === undefined || buyer === undefined || seller === undefined) throw new Error('The fleet has three bots.');
const events = owner.watchAccount({ fleet: true });
await events.open();

const order = { marketId, outcome: 'yes', orderType: 'market' } as const;
await tries('Reader', 'buys', () => reader.createOrder({ ...order, quantity: 1 }));
await tries('Buyer', 'buys for 4 dollars', () => buyer.createOrder({ ...order, notional: 4 }));
await tries('Buyer', 'buys for 50 dollars', () => buyer.createOrder({ ...order, notional: 50 }));
await tries('Seller', 'buys', () => seller.createOrder({ ...order, quantity: 1 }));

// The owner sees every bot's events on one stream.
for await (const event of events) {
  if (event.type !== 'fill') continue;
  process.stdout.write(
    `the fleet's first fill: ${event.fill.quantity} at ${event.fill.price} for ${event.accountId}\n`,
  );
  break;
}
const { repeated } = await owner.cancelAllOrders({ fleet: true });
for (const { keyId } of fleet) await owner.revokeKey(keyId);
process.stdout.write(`ended: keys revoked${repeated ? ', orders cancelled in two attempts' : ''}\n`);
