import type { CommandType, JudgedCommand } from '../events/judged-commands.ts';
import { hasPermission, mayHandle } from './accounts.ts';
import { mandateIsWellFormed } from './mandates.ts';
import { isPrice, isQuantity, orderIsWellFormed } from './orders.ts';
import { secondsAreWellFormed } from './timers.ts';
import { isClosed, findAccount } from './world.ts';
import type { Account, Key, World } from './world.ts';

type Caller = { readonly key: Key | null } | { readonly refusal: string };

const refusal = (code: string): Caller => ({ refusal: code });

/**
 * Checks the sender in this order: the key is live, belongs to a primary for managing accounts, has the permission, and
 * compliance allows the order.
 */
export function authorize(world: World, command: JudgedCommand): Caller {
  const { by } = command;
  if (isByKey(command.type)) return keyCaller(world, command);
  switch (command.type) {
    case 'RevokeApiKey':
      return by.kind === 'operator' && world.rulesVersion >= 2 ? { key: null } : keyCaller(world, command);
    case 'CloseAccount':
      if (by.kind === 'key' && world.rulesVersion >= 6) return keyCaller(world, command);
      return by.kind === 'operator' ? { key: null } : refusal('forbidden');
    case 'IssueApiKey':
      return by.kind === 'operator' ? { key: null } : keyCaller(world, command);
    case 'ContinueClosing':
    case 'ContinueRun':
    case 'ExpireOrders':
    case 'FireDeadManSwitch':
    case 'StartWriterEpoch':
      return by.kind === 'system' ? { key: null } : refusal('forbidden');
    case 'CloseMarket':
      return by.kind === 'key' ? refusal('forbidden') : { key: null };
    default:
      return by.kind === 'operator' ? { key: null } : refusal('forbidden');
  }
}

const BY_KEY = [
  'PlaceOrder',
  'CancelOrder',
  'CancelOrders',
  'AmendOrder',
  'MergeShares',
  'SetDeadManSwitch',
  'SetMandate',
  'OpenSubAccount',
  'RenameAccount',
] as const;

export type CommandByKey = (typeof BY_KEY)[number];

const isByKey = (type: CommandType): boolean => (BY_KEY as readonly CommandType[]).includes(type);

/** Commands about accounts and keys; all others that keys send are about trading. */
const MANAGES: ReadonlySet<JudgedCommand['type']> = new Set([
  'CloseAccount',
  'IssueApiKey',
  'OpenSubAccount',
  'RenameAccount',
  'RevokeApiKey',
  'SetMandate',
]);

function keyCaller(world: World, command: JudgedCommand): Caller {
  const { by } = command;
  if (by.kind !== 'key') return refusal('not_authenticated');
  const key = world.keys.get(by.keyId);
  const account = findAccount(world, by.accountId);
  if (key === undefined || account === undefined) return refusal('not_authenticated');
  if (!key.live || key.accountId !== account.id) return refusal('not_authenticated');
  if (isClosed(world, account.id)) return refusal('forbidden');
  if (!MANAGES.has(command.type)) {
    if (!hasPermission(key, 'trade')) return refusal('forbidden');
    if (command.type === 'PlaceOrder') {
      const { accountId } = command;
      const isNamed = accountId !== null && mayHandle(world, key, accountId);
      const orders = isNamed ? findAccount(world, accountId) : account;
      if (orders !== undefined && !mayOrder(world, orders)) return refusal('kyc_required');
    }
    return { key };
  }
  if (account.primary !== null) return refusal('primary_account_required');
  if (!hasPermission(key, 'master')) return refusal('forbidden');
  return key.mandate !== null && !isFreeOfMandate(world, command, key) ? refusal('forbidden') : { key };
}

/** In spite of its mandate a key may rename the account and revoke itself; before rules version 5 any key. */
function isFreeOfMandate({ rulesVersion }: World, command: JudgedCommand, { keyId }: Key): boolean {
  if (command.type === 'RenameAccount') return true;
  return command.type === 'RevokeApiKey' && (rulesVersion < 5 || command.keyId === keyId);
}

export function mayOrder(world: World, account: Account): boolean {
  return world.settings.complianceMode === 'paper' || isApproved(world, account);
}

/** From rules version 2 on, a sub-account counts as approved when its primary is. */
function isApproved(world: World, { approved, primary }: Account): boolean {
  const primaryToo = world.rulesVersion >= 2 && primary !== null && findAccount(world, primary)?.approved === true;
  return approved || primaryToo;
}

export function formOf(world: World, command: JudgedCommand): string | null {
  return isWellFormed(world, command) ? null : 'validation_failed';
}

function isWellFormed(world: World, command: JudgedCommand): boolean {
  switch (command.type) {
    case 'PlaceOrder':
      return orderIsWellFormed(world, command);
    case 'AmendOrder':
      return (
        isPrice(command.priceUnits) &&
        isQuantity(world, command) &&
        (command.priceUnits !== null || command.quantity !== null || command.offTick)
      );
    case 'MergeShares':
      return command.quantity === null || isWhole(command.quantity, 1, Number.MAX_SAFE_INTEGER);
    case 'SetDeadManSwitch':
      return secondsAreWellFormed(command.seconds);
    case 'SetMandate':
      return mandateIsWellFormed(command.mandate);
    case 'OpenAccount': {
      const balance = command.startingBalanceUnits ?? world.settings.startingBalanceUnits;
      return isDigest(command.nameDigest) && isWhole(balance, 10_000, 100_000_000_000);
    }
    case 'RenameAccount':
      return isDigest(command.nameDigest);
    case 'OpenSubAccount':
      return isDigest(command.nameDigest) && !(command.permissions ?? []).includes('master');
    case 'IssueApiKey':
      return hasLength(command.name, 1, 40) && command.permissions.length > 0;
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
      if (command.priceUnits === null) return world.rulesVersion === 1;
      return isWhole(command.priceUnits, 0, 10_000);
    default:
      return true;
  }
}

const isWhole = (value: number, low: number, high: number): boolean =>
  Number.isInteger(value) && value >= low && value <= high;

const isDigest = (text: string): boolean => text.length === 64 && !/[^0-9a-f]/.test(text);

/** Lengths in characters count code points. */
const hasLength = (text: string, low: number, high: number): boolean => isWhole(Array.from(text).length, low, high);
