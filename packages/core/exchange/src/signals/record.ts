import { SIGNAL_FIELDS } from '../commands.ts';
import type { CommandOf } from '../commands.ts';
import { MARKET_ENDED, UNCHANGED, accept, invalid, noMarket } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { SignalRecorded } from '../events.ts';
import { sortKeys, valuesOf } from '../fields.ts';
import { replayOf } from '../state/idempotency.ts';
import { decisionTime, operatorOnly, touchMarket } from '../state/state.ts';
import type { State } from '../state/state.ts';

/** A signal may be published at most this long after it is recorded, since clocks and time zones of sources differ. */
const AHEAD_MS_MAX = 24 * 60 * 60 * 1000;

/** Records a signal: news with its source, once for each source and external id. It moves no price. */
export function recordSignal(state: State, command: CommandOf<'RecordSignal'>): Decision {
  const refusal = operatorOnly(command.by) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  if (state.signals.has(signalKey(command.source, command.externalId))) return UNCHANGED;
  if (command.marketId !== null) {
    const market = state.markets.get(command.marketId);
    if (market === undefined) return noMarket(command.marketId);
    if (market.ended) return MARKET_ENDED;
  }
  const at = decisionTime(state, command.at);
  if (state.rulesVersion >= 5 && command.publishedAt > at + AHEAD_MS_MAX) {
    return invalid('publishedAt', 'is more than 24 hours later than now: give the time of publication');
  }
  return accept([sortKeys({ ...valuesOf(SIGNAL_FIELDS, command), at, type: 'SignalRecorded' as const })]);
}

/** Marks the signal as recorded. */
export function signalRecorded(state: State, event: SignalRecorded): void {
  state.signals.set(signalKey(event.source, event.externalId), state.seq);
  if (event.marketId !== null) touchMarket(state, event.marketId);
}

/** The sequence of the event that recorded the signal with this source and external id; null when there is none. */
export function signalSeq(state: State, source: string, externalId: string): number | null {
  return state.signals.get(signalKey(source, externalId)) ?? null;
}

/** Joins source and external id to one key; the length prefix keeps ("a", "bc") and ("ab", "c") apart. */
function signalKey(source: string, externalId: string): string {
  return `${source.length}:${source}${externalId}`;
}
