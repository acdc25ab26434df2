import type { CommandType, JudgedCommand } from '../events/judged-commands.ts';
import { hasPermission, mayHandle } from './accounts.ts';
import { isClosed } from './state.ts';
import type { Account, Key, TwinState } from './state.ts';

type Caller = { readonly key: Key | null } | { readonly refusal: string };

const refusal = (code: string): Caller => ({ refusal: code });

/** Checks the sender in this order: a live key, a primary account (to manage accounts), the permission, compliance. */
export function authorize(state: TwinState, command: JudgedCommand): Caller {
  const { by } = command;
  if (isByKey(command.type)) return keyCaller(state, command);
  switch (command.type) {
    case 'RevokeApiKey':
      return by.kind === 'operator' && state.rulesVersion >= 2 ? { key: null } : keyCaller(state, command);
    case 'CloseAccount':
      if (by.kind === 'key' && state.rulesVersion >= 6) return keyCaller(state, command);
      return by.kind === 'operator' ? { key: null } : refusal('forbidden');
    case 'IssueApiKey':
      return by.kind === 'operator' ? { key: null } : keyCaller(state, command);
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

function keyCaller(state: TwinState, command: JudgedCommand): Caller {
  const { by } = command;
  if (by.kind !== 'key') return refusal('not_authenticated');
  const key = state.keys.get(by.keyId);
  const account = state.accounts.get(by.accountId);
  if (key === undefined || account === undefined) return refusal('not_authenticated');
  if (!key.live || key.accountId !== account.id) return refusal('not_authenticated');
  if (isClosed(state, account.id)) return refusal('forbidden');
  if (!MANAGES.has(command.type)) {
    if (!hasPermission(key, 'trade')) return refusal('forbidden');
    if (command.type === 'PlaceOrder') {
      const { accountId } = command;
      const isNamed = accountId !== null && mayHandle(state, key, accountId);
      const orders = isNamed ? state.accounts.get(accountId) : account;
      if (orders !== undefined && !mayOrder(state, orders)) return refusal('kyc_required');
    }
    return { key };
  }
  if (account.primary !== null) return refusal('primary_account_required');
  if (!hasPermission(key, 'master')) return refusal('forbidden');
  return key.mandate !== null && !isFreeOfMandate(state, command, key) ? refusal('forbidden') : { key };
}

/** A key with a mandate may still rename the account and revoke itself (before rules version 5: any key). */
function isFreeOfMandate({ rulesVersion }: TwinState, command: JudgedCommand, { keyId }: Key): boolean {
  if (command.type === 'RenameAccount') return true;
  return command.type === 'RevokeApiKey' && (rulesVersion < 5 || command.keyId === keyId);
}

export const mayOrder = (state: TwinState, account: Account): boolean =>
  state.settings.complianceMode === 'paper' || isApproved(state, account);

/** From rules version 2 on, a sub-account counts as approved when its primary is. */
function isApproved(state: TwinState, { approved, primary }: Account): boolean {
  const primaryToo = state.rulesVersion >= 2 && primary !== null && state.accounts.get(primary)?.approved === true;
  return approved || primaryToo;
}
