import { endpoints, isInScope, OUT_OF_SCOPE, Refused, Unavailable } from '@paper/contracts';
import type { Endpoint, OperatorCaller } from '@paper/contracts';
import type { BatchCommandBody } from '@paper/contracts/operator';
import type { CommandResult } from '@paper/command-side';
import type { CommandGateway } from '../command-gateway.ts';
import { approveAccount, issueKey, openAccount } from './operator-accounts.ts';
import { amendMarket, changePhase, listMarket, recordSignal, resolveMarket, voidMarket } from './operator-markets.ts';
import type { BodyOf, OperatorCall } from './operator-markets.ts';

type Op = BatchCommandBody['op'];

/** The handler of each operator's command, for single calls and batches alike. */
const HANDLERS = {
  'list-market': listMarket,
  'amend-market': amendMarket,
  'activate-market': changePhase('ActivateMarket'),
  'pause-market': changePhase('PauseMarket'),
  'close-market': changePhase('CloseMarket'),
  'resolve-market': resolveMarket,
  'void-market': voidMarket,
  'record-signal': recordSignal,
  'open-account': (gateway: CommandGateway, call: OperatorCall, body: BodyOf<'open-account'>) =>
    openAccount(gateway, call, body, call.name ?? noName()),
  'issue-key': issueKey,
  'approve-account': approveAccount,
} satisfies { readonly [O in Op]: (gateway: CommandGateway, call: OperatorCall, body: BodyOf<O>) => Promise<unknown> };

/** The single call of each command, which declares the scopes that permit it. */
const SINGLE_CALLS = {
  'list-market': endpoints.createMarket,
  'amend-market': endpoints.amendMarket,
  'activate-market': endpoints.activateMarket,
  'pause-market': endpoints.pauseMarket,
  'close-market': endpoints.closeMarket,
  'resolve-market': endpoints.resolveMarket,
  'void-market': endpoints.voidMarket,
  'record-signal': endpoints.recordSignal,
  'open-account': endpoints.openAccount,
  'issue-key': endpoints.issueAccountKey,
  'approve-account': endpoints.approveAccount,
} satisfies { readonly [O in Op]: Endpoint };

export function permitsCommand({ scopes }: OperatorCaller, op: Op): boolean {
  return isInScope(scopes, SINGLE_CALLS[op].scopes);
}

type ResultOf<O extends Op> = Awaited<ReturnType<(typeof HANDLERS)[O]>>['value'];

/** Submits an operator's command at once, so commands are decided in the order of calls. @throws Refused forbidden */
export function carryOut<O extends Op>(
  gateway: CommandGateway,
  call: OperatorCall,
  command: { readonly op: O } & BodyOf<O>,
): Promise<CommandResult<ResultOf<O>>> {
  if (!permitsCommand(call.caller, command.op)) throw new Refused('forbidden', OUT_OF_SCOPE);
  // The compiler does not follow through `O` that the table pairs each op with the handler of its body.
  const handler = HANDLERS[command.op] as (...values: unknown[]) => Promise<CommandResult<ResultOf<O>>>;
  return handler(gateway, call, command);
}

function noName(): never {
  throw new Unavailable('its display name cannot be stored; try again');
}
