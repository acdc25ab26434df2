import { Unavailable } from '@paper/contracts';
import type { BatchCommandBody } from '@paper/contracts';
import type { CommandResult } from '@paper/command-side';
import type { CommandGateway } from './command-gateway.ts';
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

/** The value that a command is answered with. */
type ResultOf<O extends Op> = Awaited<ReturnType<(typeof HANDLERS)[O]>>['value'];

/** Carries out one command of an operator. Submits it at once, so that commands are decided in the order of calls. */
export function carryOut<O extends Op>(
  gateway: CommandGateway,
  call: OperatorCall,
  command: { readonly op: O } & BodyOf<O>,
): Promise<CommandResult<ResultOf<O>>> {
  // The table pairs each op with the handler of its body, which the compiler does not follow through `O`.
  const handler = HANDLERS[command.op] as (...values: unknown[]) => Promise<CommandResult<ResultOf<O>>>;
  return handler(gateway, call, command);
}

function noName(): never {
  throw new Unavailable('its display name cannot be stored; try again');
}
