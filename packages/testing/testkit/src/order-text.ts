import { PLAIN_ORDER } from '@paper/exchange/commands';
import type { CommandBase, CommandOf } from '@paper/exchange/commands';
import type { ExchangeEvent, OrderPlaced } from '@paper/exchange/events';
import type { TimeInForce } from '@paper/exchange/vocabulary';

/** The default time of commands in a scenario. A command at 0 is decided at the last event's time. */
export const SCENARIO_AT = 1_000_000;

const UNITS = 10_000;
const ORDER =
  /^(?<id>\S+) (?<account>\S+) (?<market>market )?(?<side>buy|sell) (?<outcome>yes|no)(?: (?<quantity>\d+))?(?: \$(?<notional>[\d.]+))?(?: @ (?<price>[\d.]+))?(?: max (?<max>[\d.]+))?(?: slip (?<slip>[\d.]+))?(?: (?<tif>GTC|IOC|FOK))?(?<postOnly> post-only)?(?: until (?<until>\d+)s)?(?: as (?<as>\S+))?(?: for (?<for>\S+))?(?: in (?<in>\S+))?$/;

/**
 * An order from text, in dollars: `<id> <account> [market] buy|sell yes|no [quantity] [$notional] [@ price] [max price]
 * [slip amount] [GTC|IOC|FOK] [post-only] [until seconds] [as clientOrderId] [for sub-account] [in market]`, for
 * example `a1 ann buy yes 10 @ 0.55 IOC`. The default market is `m`; the seconds count from SCENARIO_AT, as in `until 5s`.
 */
export function orderFrom(text: string): CommandOf<'PlaceOrder'> {
  const groups = ORDER.exec(text)?.groups as Record<string, string | undefined> | undefined;
  if (groups === undefined) throw new Error(`not an order: ${text}`);
  const accountId = groups['account'] ?? '';
  const id = `place-${groups['id'] ?? ''}`;
  const by: CommandBase['by'] = { kind: 'key', accountId, keyId: `${accountId}-key` };
  const priceUnits = units(groups['price']);
  const isWhole = priceUnits === null || Number.isInteger(priceUnits);
  return {
    ...PLAIN_ORDER,
    at: 0,
    by,
    causationId: id,
    correlationId: id,
    id,
    idempotency: null,
    accountId: groups['for'] ?? null,
    clientOrderId: groups['as'] ?? null,
    expiresAt: groups['until'] === undefined ? null : SCENARIO_AT + Number(groups['until']) * 1_000,
    postOnly: groups['postOnly'] !== undefined,
    type: 'PlaceOrder',
    marketId: groups['in'] ?? 'm',
    maxPriceUnits: units(groups['max']),
    notionalUnits: units(groups['notional']),
    offTick: !isWhole,
    orderId: groups['id'] ?? '',
    orderType: groups['market'] === undefined ? 'limit' : 'market',
    outcome: groups['outcome'] === 'no' ? 'no' : 'yes',
    priceUnits: isWhole ? priceUnits : null,
    quantity: groups['quantity'] === undefined ? null : Number(groups['quantity']),
    side: groups['side'] === 'sell' ? 'sell' : 'buy',
    slippageUnits: units(groups['slip']),
    timeInForce: (groups['tif'] ?? 'GTC') as TimeInForce,
  };
}

/** Converts dollars to units. An amount finer than a unit stays a fraction. */
function units(dollars: string | undefined): number | null {
  return dollars === undefined ? null : Number((Number(dollars) * UNITS).toFixed(4));
}

const dollars = (value: number): string => String(value / UNITS);

/** An event as one line in dollars, without time, key, spending, and the market `m`; rare types as JSON. */
export function eventText(event: ExchangeEvent): string {
  const where = 'marketId' in event && event.marketId !== 'm' ? ` in ${String(event.marketId)}` : '';
  switch (event.type) {
    case 'OrderPlaced': {
      const notional = event.notionalUnits === null ? '' : ` of $${dollars(event.notionalUnits)}`;
      return `${event.orderId} ${event.accountId} ${event.orderType} ${event.side} ${event.outcome} ${event.quantity}${notional} @ ${dollars(event.priceUnits)} ${event.timeInForce}${toolsText(event)}: fills ${event.fillQuantity}, rests ${event.restQuantity}${where}`;
    }
    case 'OrderFilled': {
      const maker = `${event.makerOrderId} ${event.makerAccountId} ${event.makerSide} ${event.makerOutcome} cost ${dollars(event.makerCostUnits)} left ${event.makerRemaining}`;
      const taker = `${event.takerOrderId} ${event.takerAccountId} ${event.takerSide} ${event.takerOutcome} cost ${dollars(event.takerCostUnits)} left ${event.takerRemaining}`;
      return `${event.kind} ${event.quantity} at ${dollars(event.yesPriceUnits)}: ${maker} <- ${taker}${where}`;
    }
    case 'OrderCancelled': {
      const what = event.resting ? 'resting' : 'incoming';
      return `${event.orderId} ${event.accountId} ${event.side} ${event.outcome} @ ${dollars(event.priceUnits)}: ${event.quantity} ${what} cancelled, ${event.reason}${where}`;
    }
    case 'OrderAmended':
      return `${event.orderId} ${event.accountId} ${event.side} ${event.outcome} @ ${dollars(event.priceUnits)}: ${event.removed} removed, ${event.remaining} of ${event.quantity} rest${where}`;
    case 'OrderReplaced': {
      const former = `${event.formerRemaining} @ ${dollars(event.formerPriceUnits)}, ${event.filledQuantity} filled`;
      return `${event.orderId} ${event.accountId} ${event.side} ${event.outcome} ${former} -> ${event.quantity} @ ${dollars(event.priceUnits)}: fills ${event.fillQuantity}, rests ${event.restQuantity}${where}`;
    }
    case 'SharesMerged':
      return `${event.accountId} merges ${event.quantity}, cost yes ${dollars(event.yesCostUnits)} no ${dollars(event.noCostUnits)}, cash ${dollars(event.cashUnits)}${where}`;
    case 'DeadManSwitchSet':
      return `${event.accountId} switch ${event.cancelsAt === null ? 'off' : `at ${seconds(event.cancelsAt)}`}`;
    case 'PositionSettled':
      return `${event.accountId} settles ${event.outcome} ${event.shares}, cost ${dollars(event.costUnits)}, paid ${dollars(event.payoutUnits)}${where}`;
    case 'MarketSettled':
      return `market settled: ${event.cancelledOrders} orders cancelled, ${event.settledAccounts} accounts, paid ${dollars(event.paidUnits)}${where}`;
    default:
      return JSON.stringify({ ...event, at: undefined });
  }
}

function toolsText({ clientOrderId, expiresAt, postOnly }: OrderPlaced): string {
  const until = expiresAt === null ? '' : ` until ${seconds(expiresAt)}`;
  return `${postOnly ? ' post-only' : ''}${until}${clientOrderId === null ? '' : ` as ${clientOrderId}`}`;
}

function seconds(at: number): string {
  return `${(at - SCENARIO_AT) / 1_000}s`;
}
