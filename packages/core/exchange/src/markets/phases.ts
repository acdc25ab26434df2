import type { CommandOf } from '../commands.ts';
import { MARKET_ENDED, UNCHANGED, accept, noMarket, reject } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { ExchangeEvent } from '../events.ts';
import { replayOf } from '../state/idempotency.ts';
import type { Market } from '../state/market.ts';
import { decisionTime, operatorOnly } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { pushCancels } from './runs.ts';

type PhaseCommand = CommandOf<'ActivateMarket'> | CommandOf<'PauseMarket'> | CommandOf<'CloseMarket'>;

/** Activates a scheduled, paused or closed market. Refuses while a close still cancels the market's orders. */
export function activateMarket(state: State, command: CommandOf<'ActivateMarket'>): Decision {
  const market = operatorsMarket(state, command);
  if ('kind' in market) return market;
  if (market.phase === 'active') return UNCHANGED;
  if (market.run !== null) {
    return reject('market_not_active', 'The market is closing: it can be activated when its orders are cancelled.');
  }
  return accept([{ at: decisionTime(state, command.at), marketId: market.id, type: 'MarketActivated' }]);
}

/** active → paused: orders stay in the book and can be cancelled. */
export function pauseMarket(state: State, command: CommandOf<'PauseMarket'>): Decision {
  const market = operatorsMarket(state, command);
  if ('kind' in market) return market;
  if (market.phase === 'paused') return UNCHANGED;
  if (market.phase !== 'active') {
    return reject('market_not_active', `Only an active market can be paused; this one is ${market.phase}.`);
  }
  return accept([{ at: decisionTime(state, command.at), marketId: market.id, type: 'MarketPaused' }]);
}

/** active and paused → closed, with the first cancels; `continueRun` makes the others. Timers close only active ones. */
export function closeMarket(state: State, command: CommandOf<'CloseMarket'>): Decision {
  const at = decisionTime(state, command.at);
  const byClock = command.by.kind === 'system';
  if (byClock && !isDue(state.markets.get(command.marketId), at)) return UNCHANGED;
  const market = byClock ? liveMarket(state, command) : operatorsMarket(state, command);
  if ('kind' in market) return market;
  if (market.phase === 'closed') return UNCHANGED;
  if (market.phase === 'scheduled') {
    return reject(
      'market_not_active',
      'A scheduled market cannot be closed; activate it first, or resolve or void it.',
    );
  }
  const events: ExchangeEvent[] = [
    { at, by: byClock ? 'clock' : 'operator', marketId: market.id, type: 'MarketClosed' },
  ];
  pushCancels(events, market, 'market_closed', state.settings.runChunk, at);
  return accept(events);
}

/** Whether the timer that closes the market is due. Only an active market has a timer. */
function isDue(market: Market | undefined, at: number): boolean {
  return market !== undefined && market.heapIndex >= 0 && market.closesAt <= at;
}

/** The market that an operator's command names, if it has not ended, or the decision that answers the command. */
function operatorsMarket(state: State, command: PhaseCommand): Market | Decision {
  return operatorOnly(command.by) ?? replayOf(state.idempotency, command) ?? liveMarket(state, command);
}

function liveMarket(state: State, command: PhaseCommand): Market | Decision {
  const market = state.markets.get(command.marketId);
  if (market === undefined) return noMarket(command.marketId);
  return market.ended ? MARKET_ENDED : market;
}
