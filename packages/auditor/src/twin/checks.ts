import type { JudgedCommand } from '../judged-commands.ts';
import { mayDo } from './accounts.ts';
import { orderIsWellFormed } from './orders.ts';
import { findAccount } from './world.ts';
import type { Account, Key, World } from './world.ts';

/** The authorized actor: a key, or null for operator and system; or the refusal. */
export type Caller = { readonly key: Key | null } | { readonly refusal: string };

const refusal = (code: string): Caller => ({ refusal: code });

/**
 * Checks in this order: the key is live, it is a primary's where accounts are managed, it has the permission, and
 * compliance allows the order.
 */
export function authorize(world: World, command: JudgedCommand): Caller {
  const { by } = command;
  switch (command.type) {
    case 'PlaceOrder':
    case 'CancelOrder':
    case 'OpenSubAccount':
      return keyCaller(world, command);
    case 'RevokeApiKey':
      return by.kind === 'operator' && world.rulesVersion >= 2 ? { key: null } : keyCaller(world, command);
    case 'IssueApiKey':
      return by.kind === 'operator' ? { key: null } : keyCaller(world, command);
    case 'ContinueRun':
    case 'StartWriterEpoch':
      return by.kind === 'system' ? { key: null } : refusal('forbidden');
    case 'CloseMarket':
      return by.kind === 'key' ? refusal('forbidden') : { key: null };
    default:
      return by.kind === 'operator' ? { key: null } : refusal('forbidden');
  }
}

function keyCaller(world: World, command: JudgedCommand): Caller {
  const { by } = command;
  if (by.kind !== 'key') return refusal('not_authenticated');
  const key = world.keys.get(by.keyId);
  const account = findAccount(world, by.accountId);
  if (key === undefined || account === undefined) return refusal('not_authenticated');
  if (!key.live || key.accountId !== account.id) return refusal('not_authenticated');
  if (command.type === 'PlaceOrder' || command.type === 'CancelOrder') {
    if (!mayDo(key, 'trade')) return refusal('forbidden');
    const asksForApproval = command.type === 'PlaceOrder' && world.settings.complianceMode === 'kyc';
    if (asksForApproval && !isApproved(world, account)) return refusal('kyc_required');
    return { key };
  }
  if (account.primary !== null) return refusal('primary_account_required');
  return mayDo(key, 'master') ? { key } : refusal('forbidden');
}

/** Whether the account was approved; from rules version 2 on, a sub-account counts as approved when its primary is. */
function isApproved(world: World, { approved, primary }: Account): boolean {
  const primaryToo = world.rulesVersion >= 2 && primary !== null && findAccount(world, primary)?.approved === true;
  return approved || primaryToo;
}

/** The code of the first invalid field of a request; null for a valid one. */
export function formOf(world: World, command: JudgedCommand): string | null {
  return isWellFormed(world, command) ? null : 'validation_failed';
}

function isWellFormed(world: World, command: JudgedCommand): boolean {
  switch (command.type) {
    case 'PlaceOrder':
      return orderIsWellFormed(command);
    case 'OpenAccount': {
      const balance = command.startingBalanceUnits ?? world.settings.startingBalanceUnits;
      return isDigest(command.nameDigest) && isWhole(balance, 10_000, 100_000_000_000);
    }
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
