import type { JudgedCommand } from '../judged-commands.ts';
import { mayDo } from './accounts.ts';
import { orderIsWellFormed } from './orders.ts';
import { findAccount, type Key, type World } from './world.ts';

/** Who asked: with a key, or as operator or system (key null); or why not. */
export type Caller = { readonly key: Key | null } | { readonly refusal: string };

const refusal = (code: string): Caller => ({ refusal: code });

/** A live key, a primary's where accounts are managed, the permission, and what compliance asks; in this order. */
export function authorize(world: World, command: JudgedCommand): Caller {
  const { by } = command;
  switch (command.type) {
    case 'PlaceOrder':
    case 'CancelOrder':
    case 'OpenSubAccount':
    case 'RevokeApiKey':
      return keyCaller(world, command);
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
  const key = world.keys.find((known) => known.keyId === by.keyId && known.accountId === by.accountId && known.live);
  const account = findAccount(world, by.accountId);
  if (key === undefined || account === undefined) return refusal('not_authenticated');
  if (command.type === 'PlaceOrder' || command.type === 'CancelOrder') {
    if (!mayDo(key, 'trade')) return refusal('forbidden');
    const asksForApproval = command.type === 'PlaceOrder' && world.settings.complianceMode === 'kyc';
    if (asksForApproval && !account.approved) return refusal('kyc_required');
    return { key };
  }
  if (account.primary !== null) return refusal('primary_account_required');
  return mayDo(key, 'master') ? { key } : refusal('forbidden');
}

/** What is wrong with the request by itself, as a code; null when nothing is. */
export function formOf(world: World, command: JudgedCommand, key: Key | null): string | null {
  switch (command.type) {
    case 'PlaceOrder':
      return orderIsWellFormed(command) ? null : 'validation_failed';
    case 'OpenSubAccount': {
      const asked = command.permissions ?? [];
      if (asked.includes('master')) return 'validation_failed';
      return key !== null && asked.some((permission) => !mayDo(key, permission)) ? 'forbidden' : null;
    }
    case 'IssueApiKey': {
      const account = findAccount(world, command.accountId);
      if (account !== undefined && account.primary !== null && command.permissions.includes('master')) {
        return 'validation_failed';
      }
      return key !== null && command.permissions.some((permission) => !mayDo(key, permission)) ? 'forbidden' : null;
    }
    default:
      return null;
  }
}
