import type { CommandBase, ExchangeEvent, PlaceOrder, TimeInForce } from '@paper/exchange';

const UNITS = 10_000;
const ORDER =
  /^(?<id>\S+) (?<account>\S+) (?<market>market )?(?<side>buy|sell) (?<outcome>yes|no)(?: (?<quantity>\d+))?(?: \$(?<notional>[\d.]+))?(?: @ (?<price>[\d.]+))?(?: max (?<max>[\d.]+))?(?: slip (?<slip>[\d.]+))?(?: (?<tif>GTC|IOC|FOK))?(?: in (?<in>\S+))?$/;

/**
 * An order from text, in dollars: `<id> <account> [market] buy|sell yes|no [quantity] [$notional] [@ price] [max price]
 * [slip amount] [GTC|IOC|FOK] [in market]`, for example `a1 ann buy yes 10 @ 0.55 IOC`. The default market is `m`.
 */
export function orderFrom(text: string): PlaceOrder {
  const groups = ORDER.exec(text)?.groups as Record<string, string | undefined> | undefined;
  if (groups === undefined) throw new Error(`not an order: ${text}`);
  const accountId = groups['account'] ?? '';
  const id = `place-${groups['id'] ?? ''}`;
  const by: CommandBase['by'] = { kind: 'key', accountId, keyId: `${accountId}-key` };
  const priceUnits = units(groups['price']);
  const isWhole = priceUnits === null || Number.isInteger(priceUnits);
  return {
    at: 0,
    by,
    causationId: id,
    correlationId: id,
    id,
    idempotency: null,
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

/** Dollars to units; an amount finer than a unit stays a fraction. */
function units(dollars: string | undefined): number | null {
  return dollars === undefined ? null : Number((Number(dollars) * UNITS).toFixed(4));
}

const dollars = (value: number): string => String(value / UNITS);

/**
 * An event as one line with all of its fields, in dollars, without its time, and without the market where that is `m`.
 * Other events than those of orders and settlements are written as JSON.
 */
export function eventText(event: ExchangeEvent): string {
  const where = 'marketId' in event && event.marketId !== 'm' ? ` in ${String(event.marketId)}` : '';
  switch (event.type) {
    case 'OrderPlaced': {
      const notional = event.notionalUnits === null ? '' : ` of $${dollars(event.notionalUnits)}`;
      return `${event.orderId} ${event.accountId} ${event.orderType} ${event.side} ${event.outcome} ${event.quantity}${notional} @ ${dollars(event.priceUnits)} ${event.timeInForce}: fills ${event.fillQuantity}, rests ${event.restQuantity}${where}`;
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
    case 'PositionSettled':
      return `${event.accountId} settles ${event.outcome} ${event.shares}, cost ${dollars(event.costUnits)}, paid ${dollars(event.payoutUnits)}${where}`;
    case 'MarketSettled':
      return `market settled: ${event.cancelledOrders} orders cancelled, ${event.settledAccounts} accounts, paid ${dollars(event.paidUnits)}${where}`;
    default:
      return JSON.stringify({ ...event, at: undefined });
  }
}
