import { accountEventBody } from '@paper/contracts/accounts';
import type { AccountEventView } from '@paper/contracts/accounts';
import type { OrderDetailView } from '@paper/contracts/orders';
import type { OrderPlaced } from '@paper/exchange/events';
import { decode, decodeEvent, decodePublicEvent } from '@paper/journal';
import type { JournalEvent } from '@paper/journal';
import {
  base,
  IS_LONG_RUN,
  keyOf,
  listMarket,
  openAccount,
  orderFrom,
  SimulatedJournal,
  startEpoch,
  StoredExchange,
} from '@paper/testkit';
import { expect } from 'chai';
import { createAccountEventSource } from '../src/serving/account-event-source.ts';
import { createIndexes } from '../src/engine/create-schema.ts';
import { ALL_TABLES } from '../src/models/tables.ts';
import type { ReadDb } from '../src/models/tables.ts';
import { Projection } from '../src/projection/projection.ts';
import { catchUp } from '../src/projection/projector.ts';
import { Progress } from '../src/serving/progress.ts';
import { LiveAccounts } from '../src/serving/live-accounts.ts';
import { LiveBooks } from '../src/serving/live-books.ts';
import { accountEvents, liveKeys } from '../src/reads/account-events.ts';
import { accountStates } from '../src/reads/account-states.ts';
import { listFills } from '../src/models/fills/queries.ts';
import { ReadModels } from '../src/serving/read-models.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { useReadDatabase } from './read-database.ts';

const COMMANDS = IS_LONG_RUN ? 2500 : 1000;

interface Told {
  readonly seq: number;
  readonly what: unknown;
}

/** The events that each account must see, computed from the journal's events alone. */
function toldFrom(events: readonly JournalEvent[]): ReadonlyMap<string, readonly Told[]> {
  const told = new Map<string, Told[]>();
  const filled = new Map<string, number>();
  const paid = new Map<string, number>();
  const placed = new Map<string, OrderPlaced>();
  /** What OrderDetail adds to an order, after the event of this sequence. */
  const detail = (orderId: string, seq: number): unknown => {
    const order = placed.get(orderId);
    const shares = filled.get(orderId) ?? 0;
    const average = shares === 0 ? null : Math.floor((paid.get(orderId) ?? 0) / shares + 0.5);
    return [order?.clientOrderId, order?.postOnly, order?.expiresAt, average, seq];
  };
  const cash = new Map<string, number>();
  const tell = (accountId: string, seq: number, what: unknown): void => {
    told.set(accountId, [...(told.get(accountId) ?? []), { seq, what }]);
  };
  const tellCash = (accountId: string, seq: number, movedUnits: number): void => {
    cash.set(accountId, (cash.get(accountId) ?? 0) + movedUnits);
    tell(accountId, seq, ['cash', cash.get(accountId)]);
  };
  for (const { seq, id, event } of events) {
    if (event.type === 'AccountOpened' || event.type === 'SubAccountOpened') {
      cash.set(event.accountId, event.startingBalanceUnits);
    } else if (event.type === 'OrderAmended' || event.type === 'OrderReplaced') {
      const { orderId, priceUnits, quantity, side } = event;
      const rests = event.type === 'OrderAmended' ? event.remaining : event.fillQuantity > 0 ? 0 : event.restQuantity;
      const before = filled.get(orderId) ?? 0;
      const holds = side === 'buy' ? rests * priceUnits : 0;
      const status = before === 0 ? 'open' : 'partial';
      const what = ['placed', orderId, quantity, before, status, priceUnits, holds, null, detail(orderId, seq)];
      tell(event.accountId, seq, what);
    } else if (event.type === 'SharesMerged') {
      tellCash(event.accountId, seq, 10_000 * event.quantity);
      expect(event.cashUnits).to.equal(cash.get(event.accountId));
    } else if (event.type === 'PositionSettled') {
      tellCash(event.accountId, seq, event.payoutUnits);
      tell(event.accountId, seq, ['settled', id, event.outcome, event.shares, event.payoutUnits, event.costUnits]);
    } else if (event.type === 'OrderPlaced') {
      const holds = event.side === 'buy' && event.fillQuantity === 0 ? event.restQuantity * event.priceUnits : 0;
      const { accountId, orderId, priceUnits, quantity } = event;
      placed.set(orderId, event);
      tell(accountId, seq, ['placed', orderId, quantity, 0, 'open', priceUnits, holds, null, detail(orderId, seq)]);
    } else if (event.type === 'OrderCancelled') {
      const { orderId, reason } = event;
      tell(event.accountId, seq, ['cancelled', orderId, filled.get(orderId) ?? 0, reason, detail(orderId, seq)]);
    } else if (event.type === 'OrderFilled') {
      const side = (role: 'maker' | 'taker', accountId: string, orderId: string, remaining: number): void => {
        const isYes = (role === 'maker' ? event.makerOutcome : event.takerOutcome) === 'yes';
        const paidUnits = (isYes ? event.yesPriceUnits : 10_000 - event.yesPriceUnits) * event.quantity;
        const isBuy = (role === 'maker' ? event.makerSide : event.takerSide) === 'buy';
        tellCash(accountId, seq, isBuy ? -paidUnits : paidUnits);
        filled.set(orderId, (filled.get(orderId) ?? 0) + event.quantity);
        paid.set(orderId, (paid.get(orderId) ?? 0) + paidUnits);
        const ended = remaining === 0 ? ['filled', filled.get(orderId), detail(orderId, seq)] : null;
        tell(accountId, seq, ['fill', id, role, orderId, event.quantity, event.at, ended]);
      };
      side('maker', event.makerAccountId, event.makerOrderId, event.makerRemaining);
      side('taker', event.takerAccountId, event.takerOrderId, event.takerRemaining);
    }
  }
  return told;
}

function detailIn({ clientOrderId, postOnly, expiresAt, averagePriceUnits, seq }: OrderDetailView): unknown {
  return [clientOrderId, postOnly, expiresAt, averagePriceUnits, seq];
}

/** The same fields of an event as the read models give it. */
function toldBy(view: AccountEventView): Told {
  const { seq } = view;
  if (view.type === 'cash') return { seq, what: ['cash', view.cashUnits] };
  if (view.type === 'settled') {
    const { id, outcome, shares, payoutUnits, costUnits } = view.settled;
    return { seq, what: ['settled', id, outcome, shares, payoutUnits, costUnits] };
  }
  if (view.type === 'fill') {
    const { id, role, orderId, quantity, createdAt } = view.fill;
    const ended = view.order === null ? null : [view.order.status, view.order.filledQty, detailIn(view.order)];
    return { seq, what: ['fill', id, role, orderId, quantity, createdAt, ended] };
  }
  const { orderId, quantity, filledQty, status, priceUnits, reservedUnits } = view.order;
  expect(view.order.reason).to.equal(view.reason);
  const detail = detailIn(view.order);
  if (status === 'cancelled') return { seq, what: ['cancelled', orderId, filledQty, view.reason, detail] };
  return {
    seq,
    what: ['placed', orderId, quantity, filledQty, status, priceUnits, reservedUnits, view.reason, detail],
  };
}

/** The message that is sent of an event. The read models name its market as it is called now, so only the ticker is left. */
function sentOf(view: AccountEventView): unknown {
  const text = JSON.stringify(accountEventBody(view), (key, value: unknown) =>
    key === 'market' ? (value as { readonly ticker: string }).ticker : value,
  );
  return JSON.parse(text);
}

describe('the events of account streams', () => {
  const database = useReadDatabase();
  let simulated: SimulatedJournal;
  let expected: ReadonlyMap<string, readonly Told[]>;
  let events: readonly JournalEvent[];
  let db: ReadDb;

  before(async function () {
    this.timeout(60_000);
    simulated = new SimulatedJournal({ seed: 31, markets: 5, changeSettings: false });
    await simulated.run(COMMANDS);
    events = (await simulated.journal.read(1, simulated.head.seq)).map((stored) => decode(stored));
    expected = toldFrom(events);
    const schema = await database().filled(simulated, { batchSize: 97 });
    await createIndexes(database().db, schema, ALL_TABLES);
    db = database().db.withSchema(schema);
  });

  const accountIds = (): string[] => [...expected.keys()];
  const upTo = async (from: ReadDb, ids: readonly string[], limit: number, after = 0): Promise<AccountEventView[]> => {
    const all: AccountEventView[] = [];
    for (let at: number | null = after; at !== null;) {
      const page = await accountEvents(from, { accountIds: ids, fleetIds: [], after: at, limit });
      if (page.upTo !== null) expect(page.upTo).to.be.greaterThan(at);
      all.push(...page.events);
      at = page.upTo;
    }
    return all;
  };

  it('is every event of their orders, as it was then, once and in order, whatever the size of the pages', async function () {
    this.timeout(60_000);
    expect(accountIds().length).to.be.greaterThan(3);
    for (const accountId of accountIds()) {
      for (const limit of [3, 50, 100_000]) {
        expect((await upTo(db, [accountId], limit)).map(toldBy)).to.deep.equal(expected.get(accountId));
      }
    }
    const kinds = new Set([...expected.values()].flat().map(({ what }) => String((what as unknown[]).at(0))));
    expect([...kinds]).to.have.members(['placed', 'cancelled', 'fill', 'cash', 'settled']);
    const types = new Set(events.map(({ event }) => event.type));
    expect([...types]).to.include.members(['OrderAmended', 'OrderReplaced', 'SharesMerged']);
  });

  it('is complete where merges alone fill a page', async () => {
    const exchange = new StoredExchange();
    const merges = Array.from({ length: 8 }, (_, nth) => ({
      ...base(keyOf('ann'), `merge-${nth}`),
      type: 'MergeShares' as const,
      accountId: 'ann',
      marketId: 'm',
      quantity: 1,
    }));
    const orders = [
      'a1 ann buy yes 9 @ 0.50',
      'b1 bob buy no 9 @ 0.50',
      'a2 ann buy no 9 @ 0.50',
      'b2 bob buy yes 9 @ 0.50',
    ];
    const before = [startEpoch(), openAccount('ann'), openAccount('bob'), listMarket('m')];
    for (const command of [...before, ...orders.map((text) => orderFrom(text)), ...merges]) {
      expect((await exchange.submit(command)).kind, command.id).to.equal('accepted');
    }
    const schema = await database().newSchema();
    await catchUp(await Projection.open(database().db, schema), exchange.journal, exchange.head.seq);
    const ofMerges = database().db.withSchema(schema);
    const all = (await exchange.journal.read(1, 1_000)).map((stored) => decode(stored));
    for (const limit of [3, 5, 100]) {
      expect((await upTo(ofMerges, ['ann'], limit)).map(toldBy)).to.deep.equal(toldFrom(all).get('ann'));
    }
  });

  it('begins after any event of theirs', async () => {
    const [accountId = ''] = accountIds();
    const own = expected.get(accountId) ?? [];
    for (const index of [0, 1, Math.floor(own.length / 2), own.length - 1]) {
      const after = own[index]?.seq ?? 0;
      expect((await upTo(db, [accountId], 7, after)).map(toldBy)).to.deep.equal(own.filter(({ seq }) => seq > after));
    }
    expect(await upTo(db, [accountId], 7, simulated.head.seq)).to.deep.equal([]);
  });

  it('is asked for many accounts at once, a trade between two of them for each', async function () {
    this.timeout(60_000);
    for (const limit of [3, 40, 100_000]) {
      const all = await upTo(db, accountIds(), limit);
      expect(all.map(({ seq }) => seq)).to.deep.equal(all.map(({ seq }) => seq).sort((a, b) => a - b));
      for (const accountId of accountIds()) {
        const own = all.filter((view) => view.accountId === accountId);
        expect(own.map(toldBy)).to.deep.equal(expected.get(accountId));
      }
    }
    expect(await upTo(db, ['nobody'], 5)).to.deep.equal([]);
  });

  it('is that of a whole fleet, with the cash of the sub-accounts that are opened', async function () {
    this.timeout(60_000);
    const openings = events.flatMap(({ seq, event }) => (event.type === 'SubAccountOpened' ? [{ seq, event }] : []));
    const primaries = new Set(openings.map(({ event }) => event.primaryAccountId));
    expect(primaries.size).to.be.greaterThan(1);
    for (const primary of primaries) {
      const own = openings.filter(({ event }) => event.primaryAccountId === primary);
      const ids = [primary, ...own.map(({ event }) => event.accountId)];
      const all = [
        ...own.map(({ seq, event }) => ({ seq, what: ['cash', event.startingBalanceUnits] })),
        ...ids.flatMap((id) => expected.get(id) ?? []),
      ].sort((a, b) => a.seq - b.seq);
      const page = await accountEvents(db, { accountIds: [], fleetIds: [primary], after: 0, limit: 100_000 });
      expect(page.events.map(toldBy)).to.deep.equal(all);
      expect([...(page.fleets.get(primary) ?? [])].sort()).to.deep.equal([...ids].sort());
    }
  });

  it('does not change by what happens later', async function () {
    this.timeout(60_000);
    const half = simulated.ends[Math.floor(simulated.ends.length / 2)] ?? 0;
    const schema = await database().newSchema();
    const projection = await Projection.open(database().db, schema);
    await catchUp(projection, simulated.journal, half);
    const then = database().db.withSchema(schema);
    const names = ({ what, seq }: Told): unknown => ({ what, seq });
    for (const accountId of accountIds()) {
      expect((await upTo(then, [accountId], 50)).map(toldBy).map(names)).to.deep.equal(
        (await upTo(db, [accountId], 50))
          .filter(({ seq }) => seq <= half)
          .map(toldBy)
          .map(names),
      );
    }
  });

  it('is made of the journal itself as the read models have it, from any state of theirs on', async function () {
    this.timeout(60_000);
    const half = simulated.ends[Math.floor(simulated.ends.length / 2)] ?? 0;
    const schema = await database().newSchema();
    await catchUp(await Projection.open(database().db, schema), simulated.journal, half);
    const states = await accountStates(database().db.withSchema(schema), accountIds());
    const books = new LiveBooks(0);
    const accounts = new LiveAccounts((marketId) => books.nameOf(marketId));
    const made: AccountEventView[] = [];
    for (const stored of await simulated.journal.read(1, simulated.head.seq)) {
      const followed = decodeEvent(stored);
      const { event, seq } = followed;
      books.apply(decodePublicEvent(stored));
      if (event.type === 'AccountOpened' || event.type === 'SubAccountOpened') {
        accounts.add(event.accountId, { cashUnits: event.startingBalanceUnits, orders: [] }, seq);
      }
      made.push(...accounts.apply(followed));
      if (seq === half) for (const [id, state] of states) accounts.add(id, state, half);
    }
    for (const accountId of accountIds()) {
      const own = made.filter((view) => view.accountId === accountId);
      expect(own.map(sentOf)).to.deep.equal((await upTo(db, [accountId], 100_000)).map(sentOf));
      accounts.delete(accountId);
    }
    expect(accounts.orders).to.equal(0);
  });

  it('lists their fills newest first, page by page, also of one market', async () => {
    const fillsOf = (id: string): readonly Told[] =>
      (expected.get(id) ?? []).filter(({ what }) => (what as unknown[])[0] === 'fill');
    const [accountId = ''] = accountIds().sort((a, b) => fillsOf(b).length - fillsOf(a).length);
    const own = fillsOf(accountId).toReversed();
    expect(own.length).to.be.greaterThan(10);
    const seqs: number[] = [];
    const markets = new Set<string>();
    for (let after: number | undefined, more = true; more;) {
      const page = await listFills(db, accountId, { limit: 7, after });
      for (const fill of page.items) {
        seqs.push(fill.seq);
        markets.add(fill.marketId);
      }
      more = page.next !== null;
      after = page.next ?? undefined;
    }
    expect(seqs).to.deep.equal(own.map(({ seq }) => seq));
    let ofMarkets = 0;
    for (const marketId of markets) {
      const { items } = await listFills(db, accountId, { limit: 10_000, marketId });
      expect(new Set(items.map((fill) => fill.marketId))).to.deep.equal(new Set([marketId]));
      ofMarkets += items.length;
    }
    expect(ofMarkets).to.equal(seqs.length);
    expect(await listFills(db, accountId, { limit: 5, marketId: 'none' })).to.deep.equal({ items: [], next: null });
  });

  it('finds the keys that are not revoked', async () => {
    const issued = events.flatMap(({ event }) => (event.type === 'ApiKeyIssued' ? [event.keyId] : []));
    const revoked = new Set(events.flatMap(({ event }) => (event.type === 'ApiKeyRevoked' ? [event.keyId] : [])));
    expect(revoked.size).to.be.greaterThan(0);
    expect([...(await liveKeys(db, [...issued, 'none']))].sort()).to.deep.equal(
      issued.filter((id) => !revoked.has(id)).sort(),
    );
    expect((await liveKeys(db, [])).size).to.equal(0);
  });

  it('comes from one source, that says how far it goes', async function () {
    this.timeout(60_000);
    const schema = (await activeSchema(database().db)) ?? '';
    const projection = await Projection.open(database().db, schema);
    const { seq } = simulated.head;
    await catchUp(projection, simulated.journal, seq);
    const progress = new Progress();
    const source = createAccountEventSource(new ReadModels(database().db), progress);
    expect(await source.seq()).to.equal(seq);
    const [accountId = ''] = accountIds().sort(
      (a, b) => (expected.get(b)?.length ?? 0) - (expected.get(a)?.length ?? 0),
    );
    const ask = { accountIds: [accountId], fleetIds: [], keyIds: ['none'], after: 0 };
    const part = await source.read({ ...ask, limit: 5 });
    expect(part.complete).to.equal(false);
    expect(part.upTo).to.be.lessThan(seq);
    const whole = await source.read({ ...ask, limit: 100_000 });
    expect([whole.complete, whole.upTo, whole.liveKeys.size]).to.deep.equal([true, seq, 0]);
    expect(whole.events.map(toldBy)).to.deep.equal(expected.get(accountId));
    // A client that is further than the read models (they were refilled) is where it is.
    expect((await source.read({ ...ask, after: seq + 5, limit: 5 })).upTo).to.equal(seq + 5);
    const reached = source.reached(seq, 5_000);
    progress.set(seq);
    expect(await reached).to.equal(true);
  });
});
