import { accountOpened, apiKeyIssued, apiKeyRevoked } from './apply-accounts.ts';
import {
  marketActivated,
  marketAmended,
  marketClosed,
  marketListed,
  marketPaused,
  marketResolved,
  marketSettled,
  positionSettled,
} from './apply-markets.ts';
import { orderCancelled, orderFilled, orderPlaced } from './apply-orders.ts';
import type { Command } from './commands.ts';
import type { ExchangeEvent } from './events.ts';
import { callerOf, keyNameOf } from './idempotency.ts';
import { revokedSince } from './revoked-keys.ts';
import { RULES_VERSION } from './rules.ts';
import { signalKey } from './signals.ts';
import { accountOf, fleetOf, touchMarket } from './state.ts';
import type { State } from './state.ts';

/**
 * Applies one event, in place. `command` comes with the first event of its decision, else it is null. All that decides
 * later is in the state after this, so that folding a stored journal gives the state that wrote it. Throws only when
 * the event cannot follow on this state, which no journal of ours holds.
 */
export function evolve(state: State, event: ExchangeEvent, command: Command | null): void {
  state.seq += 1;
  state.lastAt = event.at;
  rememberKeys(state, event, command);
  switch (event.type) {
    case 'OrderPlaced':
      orderPlaced(state, event);
      return;
    case 'OrderFilled':
      orderFilled(state, event);
      return;
    case 'OrderCancelled':
      orderCancelled(state, event);
      return;
    case 'PositionSettled':
      positionSettled(state, event);
      return;
    case 'AccountOpened':
    case 'SubAccountOpened':
      accountOpened(state, event);
      return;
    case 'AccountApproved':
      accountOf(state, event.accountId).approved = true;
      return;
    case 'ApiKeyIssued':
      apiKeyIssued(state, event);
      return;
    case 'ApiKeyRevoked':
      apiKeyRevoked(state, event);
      return;
    case 'MarketListed':
      marketListed(state, event);
      return;
    case 'MarketAmended':
      marketAmended(state, event);
      return;
    case 'MarketActivated':
      marketActivated(state, event);
      return;
    case 'MarketPaused':
      marketPaused(state, event);
      return;
    case 'MarketClosed':
      marketClosed(state, event, command?.id ?? '');
      return;
    case 'MarketResolved':
    case 'MarketVoided':
      marketResolved(state, event, command?.id ?? '');
      return;
    case 'MarketSettled':
      marketSettled(state, event);
      return;
    case 'SignalRecorded':
      state.signals.set(signalKey(event.source, event.externalId), state.seq);
      if (event.marketId !== null) {
        touchMarket(state, event.marketId);
      }
      return;
    case 'WriterEpochStarted':
      epochStarted(state, event);
  }
}

/** Stores the command's Idempotency-Key, and drops expired Idempotency-Keys and revoked API keys. */
function rememberKeys(state: State, event: ExchangeEvent, command: Command | null): void {
  const { idempotency, settings } = state;
  if (command !== null && command.idempotency !== null) {
    const { fingerprint, index, key } = command.idempotency;
    const name = keyNameOf(command.by, key, index);
    idempotency.remember(fleetOf(state, callerOf(command.by)), name, fingerprint, event.at, state.seq);
  }
  if (idempotency.size > 0) {
    const isFair = state.rulesVersion >= 2;
    idempotency.evict(event.at, settings.idempotencyWindowMs, settings.idempotencyEntries, isFair);
  }
  if (state.rulesVersion >= 2) {
    state.revokedKeys.forgetBefore(revokedSince(settings, event.at), state.keys);
  }
}

function epochStarted(state: State, event: Extract<ExchangeEvent, { readonly type: 'WriterEpochStarted' }>): void {
  if (event.rulesVersion > RULES_VERSION) {
    throw new Error(
      `epoch ${event.epoch} is decided by rules version ${event.rulesVersion}, this build (rules up to version ` +
        `${RULES_VERSION}) is older: run the build that wrote it`,
    );
  }
  state.epoch = event.epoch;
  state.rulesVersion = event.rulesVersion;
  state.settings = event.settings;
}
