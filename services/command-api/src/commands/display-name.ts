import { Refused, reservedNameFault } from '@paper/contracts';
import { rememberedFingerprint } from '@paper/exchange';
import { actorOf } from '../command-gateway.ts';
import type { Call, CommandGateway } from '../command-gateway.ts';

/**
 * Refuses a display name that reads like one of the exchange's own, unless its operators give it (their token lacks the
 * scope accounts-own). A repeat of an earlier opening is left to the decision, which gives the first answer again.
 * @throws Refused
 */
export function assertNotReserved(
  gateway: Pick<CommandGateway, 'state'>,
  { caller, idempotency }: Call,
  displayName: string,
): void {
  if (caller.kind === 'operator' && caller.scopes?.includes('accounts-own') !== true) return;
  const fault = reservedNameFault(displayName);
  if (fault === null || rememberedFingerprint(gateway.state(), { by: actorOf(caller), idempotency }) !== null) return;
  throw new Refused('validation_failed', `validation failure: displayName: ${fault}`);
}
