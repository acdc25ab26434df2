import type { CommandOf } from '../commands.ts';
import { ACCOUNT_CLOSED, FORBIDDEN, accept, invalid, noMarket, reject } from '../decision.ts';
import type { Decision, Rejection } from '../decision.ts';
import type { ExchangeEvent, OrderPlaced } from '../events.ts';
import { isOutside, PRICE_UNITS_MAX, PRICE_UNITS_MIN } from '../money.ts';
import { MASTER } from '../permissions.ts';
import type { Account, ApiKey } from '../state/account.ts';
import { replayOf } from '../state/idempotency.ts';
import { awaitsApproval, decisionTime, findMarket, tradingKey } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { marketFault, planFault, planOrder, pushPlan } from './plan.ts';
import type { Plan } from './plan.ts';
import { ALL_SHARES } from './walk.ts';

const QUANTITY_MAX = 500;
const NOTIONAL_UNITS_MIN = 10_000;
const NOTIONAL_UNITS_MAX = 50_000_000;
const SLIPPAGE_UNITS_MAX = 2_500;
const EXPIRY_MS_MAX = 366 * 86_400_000;

export const KYC_REQUIRED = reject('kyc_required', 'Permission or KYC: this account is not approved for trading yet.');

/**
 * Decides an order. The checks have the order of the trading rules: authority, form, account, Idempotency-Key, expiry,
 * market, tick, clientOrderId, mandate, shares, fill-or-kill and post-only, balance for the exact plan, open orders.
 */
export function placeOrder(state: State, command: CommandOf<'PlaceOrder'>): Decision {
  const key = tradingKey(state, command.by);
  if ('kind' in key) return key;
  const account = accountFor(state, key, command.accountId);
  if (awaitsApproval(state, account ?? key.account)) return KYC_REQUIRED;
  const formFault = orderFormFault(command, key.account);
  if (formFault !== null) return formFault;
  if (account === null) return FORBIDDEN;
  const at = decisionTime(state, command.at);
  const refusal =
    replayOf(state.idempotency, command) ??
    (account.closure === null ? expiryFault(command.expiresAt, at) : ACCOUNT_CLOSED);
  if (refusal !== null) return refusal;
  const market = findMarket(state, command.marketId);
  if (market === null) return noMarket(command.marketId);
  const fault = marketFault(state, market, command, command.at) ?? clientOrderIdFault(state, command, account);
  if (fault !== null) return fault;
  const plan = planOrder(state, command, account, market);
  const planRefusal = planFault(state, plan, command, key, account, market, null, at);
  if (planRefusal !== null) return planRefusal;
  const placed = orderPlaced(command, account.id, at, plan, state.rulesVersion >= 3 ? key.id : null);
  const events: ExchangeEvent[] = [placed];
  pushPlan(events, plan, placed, market.positionOf(account));
  return accept(events);
}

/** The account that the order is for: the key's own, or with master a sub-account of it; null if not permitted. */
function accountFor(state: State, key: ApiKey, accountId: string | null): Account | null {
  if (accountId === null || accountId === key.account.id) return key.account;
  const account = state.accounts.get(accountId);
  const isOwn = account !== undefined && account.primary === key.account;
  return isOwn && (key.rights & MASTER) !== 0 ? account : null;
}

function expiryFault(expiresAt: number | null, at: number): Rejection | null {
  if (expiresAt === null || (expiresAt > at && expiresAt <= at + EXPIRY_MS_MAX)) return null;
  return invalid('expiresAt', 'must be later than now, and at most 366 days ahead');
}

function clientOrderIdFault(
  state: State,
  { clientOrderId }: CommandOf<'PlaceOrder'>,
  account: Account,
): Rejection | null {
  if (clientOrderId === null || !state.clientOrderIds.isTaken(account.id, clientOrderId)) return null;
  return reject(
    'duplicate_client_order_id',
    `clientOrderId ${clientOrderId} is in use by an open order of this account, or by one that ended in the last 24 hours`,
  );
}

/** Builds OrderPlaced, with its keys in alphabetical order. `keyId` is null by rules before version 3. */
function orderPlaced(
  command: CommandOf<'PlaceOrder'>,
  accountId: string,
  at: number,
  plan: Plan,
  keyId: string | null,
): OrderPlaced {
  return {
    accountId,
    at,
    clientOrderId: command.clientOrderId,
    expiresAt: command.expiresAt,
    fillQuantity: plan.fillQuantity,
    keyId,
    marketId: command.marketId,
    notionalUnits: command.notionalUnits,
    orderId: command.orderId,
    orderType: command.orderType,
    outcome: command.outcome,
    postOnly: command.postOnly,
    priceUnits: plan.boundUnits,
    quantity: plan.quantity,
    restQuantity: plan.restQuantity,
    side: command.side,
    spentUnits: keyId === null ? 0 : plan.neededUnits,
    timeInForce: command.timeInForce,
    type: 'OrderPlaced',
  };
}

/** The fault of an order's form, or null: a field is missing or out of range, even where the field is ignored. */
function orderFormFault(order: CommandOf<'PlaceOrder'>, sender: Account): Rejection | null {
  if (isOutside(order.priceUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) return invalid('price', 'must be 0.01 to 0.99');
  const quantityRefusal = quantityFault(order.quantity, sender);
  if (quantityRefusal !== null) return quantityRefusal;
  if (isOutside(order.notionalUnits, NOTIONAL_UNITS_MIN, NOTIONAL_UNITS_MAX)) {
    return invalid('notional', 'must be 1 to 5000, in steps of 0.0001');
  }
  if (isOutside(order.maxPriceUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) {
    return invalid('maxPrice', 'must be 0.01 to 0.99, in steps of 0.0001');
  }
  if (isOutside(order.slippageUnits, 0, SLIPPAGE_UNITS_MAX)) {
    return invalid('slippage', 'must be 0 to 0.25, in steps of 0.0001');
  }
  if (order.orderType === 'limit' && order.priceUnits === null && !order.offTick) {
    return invalid('price', 'is required for a limit order');
  }
  const isResting = order.orderType === 'limit' && order.timeInForce === 'GTC';
  if (order.postOnly && !isResting) return invalid('postOnly', 'is only for limit orders with GTC');
  if (order.expiresAt !== null && !isResting) return invalid('expiresAt', 'is only for limit orders with GTC');
  if (isOutside(order.expiresAt, 0, Number.MAX_SAFE_INTEGER)) {
    return invalid('expiresAt', 'must be a time in whole milliseconds');
  }
  if (order.quantity === null) {
    if (order.side === 'sell') return invalid('quantity', 'is required to sell');
    if (order.notionalUnits === null) return invalid('quantity', 'is required to buy, or notional');
  }
  return null;
}

/** The fault of a quantity that this account's key sends, or null. */
export function quantityFault(quantity: number | null, sender: Account): Rejection | null {
  if (!isOutside(quantity, 1, QUANTITY_MAX)) return null;
  if (sender.playsTape && !isOutside(quantity, 1, ALL_SHARES)) return null;
  return invalid('quantity', 'must be a whole number, 1 to 500');
}
