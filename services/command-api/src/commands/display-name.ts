import { Refused, reservedNameFault } from '@paper/contracts';
import type { KeyCaller, OperatorCaller } from '@paper/contracts';
import { rememberedFingerprint } from '@paper/exchange';
import type { CommandGateway, UntimedBase } from '../command-gateway.ts';

/**
 * Refuses a display name that reads like one of the exchange's own. The exchange's operators may give such names: their
 * token lacks the scope accounts-own. A repeat of an earlier opening is left to the decision, which gives the first
 * answer again: the account keeps its name.
 * @throws Refused validation_failed.
 */
export function assertNotReserved(
  gateway: Pick<CommandGateway, 'state'>,
  caller: KeyCaller | OperatorCaller,
  opening: UntimedBase,
  displayName: string,
): void {
  if (caller.kind === 'operator' && caller.scopes?.includes('accounts-own') !== true) return;
  const fault = reservedNameFault(displayName);
  if (fault === null || rememberedFingerprint(gateway.state(), opening) !== null) return;
  throw new Refused('validation_failed', `validation failure: displayName: ${fault}`);
}
