import { ApiError, endpoints } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';
import { FleetKeyList, meBody, SubAccountList } from '@paper/contracts/accounts';
import { DeadManSwitch, Fill, OpenOrders, Order, OrderDetail } from '@paper/contracts/orders';
import { portfolioBody, Positions } from '@paper/contracts/portfolio';
import { RecentSignals } from '@paper/contracts/signals';
import { queries } from '@paper/read-models';
import type { ReadView } from '@paper/read-models';
import { assertOwnsFleet } from '@paper/http';
import { historicalAnswer, pastSeq } from './as-of.ts';
import { orderPosition, sequencePosition } from './paging/paging.ts';
import type { Handlers, RouteParts } from './route-parts.ts';

/** Handlers of reads with a key: the account's data, and signals. Authentication has waited for the journal's head. */
export function accountHandlers(parts: RouteParts): Handlers {
  return { ...tradingHandlers(parts), ...orderToolHandlers(parts), ...holdingHandlers(parts), ...fleetHandlers(parts) };
}

function tradingHandlers({ paging, readModels }: RouteParts): Handlers {
  return {
    listOrders: (caller, input) => {
      const { marketId, status, accountId = caller.accountId } = input.query;
      const { limit, after, linkTo } = paging.request(endpoints.listOrders, caller, input, orderPosition);
      return readModels.read(async ({ db, seq }) => {
        if (accountId !== caller.accountId) await assertOfFleet(db, caller, accountId);
        const page = await queries.listOrders(db, accountId, { marketId, status, limit, after });
        return { body: page.items.map(Order.body), seq, ...linkTo(page.next) };
      });
    },
    listOpenOrders: (caller, input) => {
      const { marketId, fleet } = input.query;
      if (fleet === 'true') assertOwnsFleet(caller);
      const { limit, after, linkTo } = paging.request(endpoints.listOpenOrders, caller, input, sequencePosition);
      return readModels.read(async ({ db, seq }) => {
        const filter = { marketId, isFleet: fleet === 'true', limit, after };
        const page = await queries.listOpenOrders(db, caller.accountId, filter);
        return { body: OpenOrders.body({ orders: page.items, seq }), seq, ...linkTo(page.next) };
      });
    },
    listFills: (caller, input) => {
      const { marketId } = input.query;
      const { limit, after, linkTo } = paging.request(endpoints.listFills, caller, input, sequencePosition);
      return readModels.read(async ({ db, seq }) => {
        const page = await queries.listFills(db, caller.accountId, { marketId, limit, after });
        return { body: page.items.map(Fill.body), seq, ...linkTo(page.next) };
      });
    },
  };
}

function orderToolHandlers({ now, readModels }: RouteParts): Handlers {
  return {
    getOrder: (caller, { params: { id } }) =>
      readModels.read(async ({ db, seq }) => {
        const order = await queries.findOrder(db, caller.accountId, id);
        if (order === null) throw new ApiError('not_found', `No order of yours has the id ${id}`);
        return { body: OrderDetail.body(order), seq };
      }),
    getOrderByClientId: (caller, { params: { clientOrderId } }) =>
      readModels.read(async ({ db, seq }) => {
        const order = await queries.findOrderByClientId(db, caller.accountId, clientOrderId);
        if (order === null) throw new ApiError('not_found', `No order of yours has the clientOrderId ${clientOrderId}`);
        return { body: OrderDetail.body(order), seq };
      }),
    getDeadManSwitch: async (caller) => {
      const { value: cancelsAt, seq } = await readModels.queryOne(queries.cancelsAtOf, caller.accountId);
      return { body: DeadManSwitch.body({ cancelsAt }), seq };
    },
    getMe: async (caller) => {
      const { value: found, seq } = await readModels.queryOne(queries.meOf, caller.keyId);
      if (found === null) throw new Error(`key ${caller.keyId} has no account`);
      return { body: meBody(found, now()), seq };
    },
  };
}

function holdingHandlers({ portfolios, readModels, turns }: RouteParts): Handlers {
  return {
    getPortfolio: async (caller, { query: { asOfSeq } }, client) => {
      if (asOfSeq !== undefined) {
        return turns.read(caller, client, (view) => portfolioAsOf(view, caller.accountId, asOfSeq));
      }
      return portfolios.read(caller.accountId);
    },
    getPositions: async (caller) => {
      const { value: positions, seq } = await readModels.queryOne(queries.positionsOf, caller.accountId);
      return { body: Positions.body({ positions, seq }), seq };
    },
  };
}

function fleetHandlers({ paging, readModels, turns }: RouteParts): Handlers {
  return {
    listSubAccounts: (caller, _input, client) =>
      turns.read(caller, client, async ({ db, seq }) => ({
        body: SubAccountList.body({ subAccounts: await queries.listSubAccounts(db, caller.accountId) }),
        seq,
      })),
    listKeys: (caller, input) => {
      const pageRequest = paging.request(endpoints.listKeys, caller, input, sequencePosition);
      return readModels.read(async ({ db, seq }) => {
        const page = await queries.listKeys(db, caller.accountId, pageRequest);
        return { body: FleetKeyList.body({ keys: page.items }), seq, ...pageRequest.linkTo(page.next) };
      });
    },
    listRecentSignals: (caller, input) => {
      const pageRequest = paging.request(endpoints.listRecentSignals, caller, input, sequencePosition);
      return readModels.read(async ({ db, seq }) => {
        const page = await queries.listRecentSignals(db, pageRequest);
        return { body: RecentSignals.body({ signals: page.items }), seq, ...pageRequest.linkTo(page.next) };
      });
    },
  };
}

async function portfolioAsOf({ db, seq }: ReadView, accountId: string, asOfSeq: string) {
  const past = pastSeq(asOfSeq, seq);
  const portfolio = await queries.findPortfolioAsOf(db, accountId, past, seq);
  if (portfolio === null) throw new ApiError('account_not_found', `This account was not open yet at sequence ${past}`);
  return { body: portfolioBody(portfolio), ...historicalAnswer(past) };
}

/** Throws the same ApiError forbidden for an account of another fleet and for a key without `master`. */
async function assertOfFleet(db: ReadView['db'], caller: KeyCaller, accountId: string): Promise<void> {
  const mayLook = caller.permissions.includes('master');
  if (!mayLook || (await queries.primaryOf(db, accountId)) !== caller.accountId) {
    throw new ApiError('forbidden', 'Forbidden');
  }
}
