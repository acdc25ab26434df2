import { closureView, pendingClosings, pendingRuns, unfinishedRun } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';

/** The subject of a run, a market that ends or an account that is closed: the run's next command, without its ids. */
export type RunSubject =
  | { readonly type: 'ContinueClosing'; readonly accountId: string }
  | { readonly type: 'ContinueRun'; readonly marketId: string };

/** The name of a run's subject. The kind is part of it, since a market and an account may have the same id. */
export function nameOfRun(subject: RunSubject): string {
  return subject.type === 'ContinueRun' ? `market ${subject.marketId}` : `account ${subject.accountId}`;
}

/** The subject whose run this command can begin, continue, end, or find under way. */
export function runSubject(command: Command): RunSubject | null {
  switch (command.type) {
    case 'CloseMarket':
    case 'ResolveMarket':
    case 'VoidMarket':
    case 'ContinueRun':
      return { marketId: command.marketId, type: 'ContinueRun' };
    case 'CloseAccount':
    case 'ContinueClosing':
      return { accountId: command.accountId, type: 'ContinueClosing' };
    default:
      return null;
  }
}

/** The runs that have not ended: first those of markets, and each kind in the order in which the runs began. */
export function pendingSubjects(state: State): readonly RunSubject[] {
  return [
    ...pendingRuns(state).map((marketId) => ({ marketId, type: 'ContinueRun' }) as const),
    ...pendingClosings(state).map((accountId) => ({ accountId, type: 'ContinueClosing' }) as const),
  ];
}

/** The id of the command that began the subject's run; null if no run is under way. */
export function causeOfRun(state: State, subject: RunSubject): string | null {
  if (subject.type === 'ContinueRun') return unfinishedRun(state, subject.marketId)?.commandId ?? null;
  const closure = closureView(state, subject.accountId);
  return closure?.isPending === true ? closure.commandId : null;
}
