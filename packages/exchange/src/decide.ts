import { cancelOrder } from './cancel-order.ts';
import type { Command } from './commands.ts';
import type { Decision } from './decision.ts';
import { amendMarket, listMarket, recordSignal } from './list-market.ts';
import { approveAccount, issueApiKey, openAccount, openSubAccount, revokeApiKey } from './manage-accounts.ts';
import { activateMarket, closeMarket, pauseMarket } from './market-phases.ts';
import { placeOrder } from './place-order.ts';
import { resolveMarket, voidMarket } from './resolve-market.ts';
import { continueRun } from './runs.ts';
import { startWriterEpoch } from './start-epoch.ts';
import type { State } from './state.ts';

/**
 * Decides a command against this state. Pure: it reads only its arguments, changes nothing, and rejects with a value.
 * Apply the events of an accepted command with `evolve`, one by one and in order, before the next decision.
 */
export function decide(state: State, command: Command): Decision {
  switch (command.type) {
    case 'PlaceOrder':
      return placeOrder(state, command);
    case 'CancelOrder':
      return cancelOrder(state, command);
    case 'OpenSubAccount':
      return openSubAccount(state, command);
    case 'IssueApiKey':
      return issueApiKey(state, command);
    case 'RevokeApiKey':
      return revokeApiKey(state, command);
    case 'OpenAccount':
      return openAccount(state, command);
    case 'ApproveAccount':
      return approveAccount(state, command);
    case 'ListMarket':
      return listMarket(state, command);
    case 'AmendMarket':
      return amendMarket(state, command);
    case 'ActivateMarket':
      return activateMarket(state, command);
    case 'PauseMarket':
      return pauseMarket(state, command);
    case 'CloseMarket':
      return closeMarket(state, command);
    case 'ResolveMarket':
      return resolveMarket(state, command);
    case 'VoidMarket':
      return voidMarket(state, command);
    case 'ContinueRun':
      return continueRun(state, command);
    case 'RecordSignal':
      return recordSignal(state, command);
    case 'StartWriterEpoch':
      return startWriterEpoch(state, command);
  }
}
