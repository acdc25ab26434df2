import type { CommandOf, JudgedCommand, Mandate } from '../events/judged-commands.ts';
import type { TwinState } from './state.ts';

const MONEY_MAX = 10_000_000_000_000;
const SHARES_MAX = 1_000_000_000;

const isWhole = (value: number, low: number, high: number): boolean =>
  Number.isInteger(value) && value >= low && value <= high;

const isWholeOrNull = (value: number | null, low: number, high: number): boolean =>
  value === null || isWhole(value, low, high);

const isPriceOrNull = (priceUnits: number | null): boolean => isWholeOrNull(priceUnits, 100, 9_900);
const isDigest = (text: string): boolean => text.length === 64 && !/[^0-9a-f]/.test(text);

/** Whether each field of a command is in its range; a command that is not is refused as `validation_failed`. */
export function isWellFormed(state: TwinState, command: JudgedCommand): boolean {
  switch (command.type) {
    case 'PlaceOrder':
      return orderIsWellFormed(state, command);
    case 'AmendOrder':
      return (
        isPriceOrNull(command.priceUnits) &&
        isQuantityOrNull(state, command) &&
        (command.priceUnits !== null || command.quantity !== null || command.offTick)
      );
    case 'MergeShares':
      return isWholeOrNull(command.quantity, 1, Number.MAX_SAFE_INTEGER);
    case 'SetDeadManSwitch':
      return command.seconds === 0 || isWhole(command.seconds, 5, 3_600);
    case 'SetMandate':
      return command.mandate === null || mandateIsWellFormed(command.mandate);
    case 'OpenAccount': {
      const balance = command.startingBalanceUnits ?? state.settings.startingBalanceUnits;
      return isDigest(command.nameDigest) && isWhole(balance, 10_000, 100_000_000_000);
    }
    case 'RenameAccount':
      return isDigest(command.nameDigest);
    case 'OpenSubAccount':
      return isDigest(command.nameDigest) && !(command.permissions ?? []).includes('master');
    case 'IssueApiKey':
      // A length counts code points.
      return isWhole(Array.from(command.name).length, 1, 40) && command.permissions.length > 0;
    case 'ListMarket':
      return (
        /^[a-z0-9][a-z0-9._:-]{0,99}$/i.test(command.marketId) &&
        command.marketId !== 'signals' &&
        isWhole(command.priorUnits, 100, 9_900) &&
        [1, 10, 100].includes(command.tickUnits) &&
        Number.isSafeInteger(command.closesAt)
      );
    case 'AmendMarket':
      return command.closesAt === null || Number.isSafeInteger(command.closesAt);
    case 'VoidMarket':
      if (command.priceUnits === null) return state.rulesVersion === 1;
      return isWhole(command.priceUnits, 0, 10_000);
    default:
      return true;
  }
}

function orderIsWellFormed(state: TwinState, order: CommandOf<'PlaceOrder'>): boolean {
  const { clientOrderId, expiresAt, orderType, postOnly, quantity, timeInForce } = order;
  const ranges =
    isPriceOrNull(order.priceUnits) &&
    isQuantityOrNull(state, order) &&
    isWholeOrNull(order.notionalUnits, 10_000, 50_000_000) &&
    isPriceOrNull(order.maxPriceUnits) &&
    isWholeOrNull(order.slippageUnits, 0, 2_500);
  if (!ranges) return false;
  if (clientOrderId !== null && !/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/.test(clientOrderId)) return false;
  if (expiresAt !== null && !Number.isSafeInteger(expiresAt)) return false;
  // Only an order that can rest is post-only or expires.
  if ((postOnly || expiresAt !== null) && (orderType !== 'limit' || timeInForce !== 'GTC')) return false;
  if (orderType === 'limit' && order.priceUnits === null && !order.offTick) return false;
  return quantity !== null || (order.side === 'buy' && order.notionalUnits !== null);
}

/** From 1 to 500 shares; for an account that plays a tape any number that an order can have. */
function isQuantityOrNull(state: TwinState, { by, quantity }: CommandOf<'AmendOrder' | 'PlaceOrder'>): boolean {
  const playsTape = by.kind === 'key' && state.accounts.get(by.accountId)?.playsTape === true;
  return isWholeOrNull(quantity, 1, playsTape ? SHARES_MAX : 500);
}

function mandateIsWellFormed(mandate: Mandate): boolean {
  const { marketIds, maxOrderCostUnits, maxReservedUnits, maxShares, spendPerDayUnits } = mandate;
  return (
    [maxOrderCostUnits, maxReservedUnits, spendPerDayUnits].every((units) => isWholeOrNull(units, 0, MONEY_MAX)) &&
    isWholeOrNull(maxShares, 0, SHARES_MAX) &&
    (marketIds === null || marketIds.length <= 100)
  );
}
