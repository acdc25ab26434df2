import { createState, decide, evolve, RULES_VERSION } from '@paper/exchange';
import type { Decision } from '@paper/exchange';
import { PLAIN_ORDER } from '@paper/exchange/commands';
import { REPEATED_ORDER_FIELDS } from '@paper/exchange/events';
import type { Command } from '@paper/exchange/commands';
import { sortKeys } from '@paper/exchange/fields';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A line of a golden file: a command and its decision by the rules of that version, in one run from the start. */
export interface GoldenStep {
  readonly command: Command;
  readonly decision: Decision;
}

/** The golden file of a version of the rules. One whose version is released is never changed. */
export function goldenFile(rulesVersion: number): string {
  return path.join(import.meta.dirname, `golden/rules-${rulesVersion}.jsonl`);
}

/** Reads the golden file of a version of the rules. */
export function goldenSteps(rulesVersion: number): readonly GoldenStep[] {
  const lines = readFileSync(goldenFile(rulesVersion), 'utf8').trimEnd().split('\n');
  return lines.map((line) => withTools(hideNames(JSON.parse(line)) as GoldenStep));
}

/**
 * Replaces display names by their digests. Golden files from before display names left the journal have names in
 * commands and events; the upcasters of packages/core/journal replace them in the same way.
 */
function hideNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideNames);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) =>
    name === 'displayName'
      ? ['nameDigest', createHash('sha256').update(String(field)).digest('hex')]
      : [name, hideNames(field)],
  );
  return Object.fromEntries(fields) as unknown;
}

/** What the upcasters of packages/core/journal add to orders of rules before version 3. */
const PLAIN_COMMAND = { ...PLAIN_ORDER, accountId: null };
const PLAIN_EVENT = { ...PLAIN_ORDER, keyId: null, spentUnits: 0 };

/** What they add to changes of orders of rules before version 5. */
const UNTOLD = Object.fromEntries(Object.keys(REPEATED_ORDER_FIELDS).map((name) => [name, null]));

/** Adds both to a step of former rules. */
function withTools({ command, decision }: GoldenStep): GoldenStep {
  const ordered = command.type === 'PlaceOrder' ? { ...PLAIN_COMMAND, ...command } : command;
  if (decision.kind !== 'accepted') return { command: ordered, decision };
  const events = decision.events.map((event) => {
    if (event.type === 'OrderPlaced') return sortKeys({ ...PLAIN_EVENT, ...event });
    const isChange = event.type === 'OrderAmended' || event.type === 'OrderReplaced';
    return isChange ? sortKeys({ ...UNTOLD, ...event }) : event;
  });
  return { command: ordered, decision: { ...decision, events } };
}

/** All versions of the rules so far. */
export const RULES_VERSIONS: readonly number[] = Array.from({ length: RULES_VERSION }, (_, former) => former + 1);

/** Decides commands one after the other from the first state on. */
export function decideAll(commands: readonly Command[]): readonly GoldenStep[] {
  const state = createState();
  return commands.map((command) => {
    const decision = decide(state, command);
    if (decision.kind === 'accepted') {
      let first: Command | null = command;
      for (const event of decision.events) {
        evolve(state, event, first);
        first = null;
      }
    }
    return { command, decision };
  });
}

/** Lists all that these steps cover, each entry once, sorted. */
export function coverageOf(steps: readonly GoldenStep[]): readonly string[] {
  const seen = new Set<string>();
  for (const { command, decision } of steps) {
    seen.add(decision.kind);
    if (decision.kind === 'rejected') seen.add(decision.code);
    if (decision.kind !== 'accepted') continue;
    for (const event of decision.events) {
      seen.add(event.type);
      if (event.type === 'OrderCancelled') seen.add(event.reason);
      if (event.type === 'AccountClosed' && command.by.kind === 'key') seen.add('closed by its primary');
      if (event.type === 'OrderFilled') seen.add(event.kind);
    }
  }
  return [...seen].sort();
}

/** The coverage that each version's corpus must have: every event type, decision kind, rejection, cancel reason and fill kind. */
const EVERYTHING: readonly string[] = [
  'AccountApproved',
  'AccountOpened',
  'ApiKeyIssued',
  'ApiKeyRevoked',
  'MarketActivated',
  'MarketAmended',
  'MarketClosed',
  'MarketListed',
  'MarketPaused',
  'MarketResolved',
  'MarketSettled',
  'MarketVoided',
  'OrderCancelled',
  'OrderFilled',
  'OrderPlaced',
  'PositionSettled',
  'SignalRecorded',
  'SubAccountOpened',
  'WriterEpochStarted',
  'accepted',
  'account_not_found',
  'fill_limit',
  'fok_unfillable',
  'forbidden',
  'idempotency_conflict',
  'insufficient_balance',
  'insufficient_shares',
  'invalid_tick',
  'ioc_remainder',
  'kyc_required',
  'limit_reached',
  'market_already_resolved',
  'market_closed',
  'market_not_active',
  'market_not_found',
  'market_resolved',
  'merge',
  'mint',
  'no_liquidity',
  'not_authenticated',
  'primary_account_required',
  'rejected',
  'replayed',
  'self_trade',
  'transfer',
  'unchanged',
  'unknown_order',
  'user',
  'validation_failed',
];

/** What the order tools of version 3 add. The exchange knows no ended orders, so it refuses none as `order_not_open`. */
const TOOLS: readonly string[] = [
  'DeadManSwitchSet',
  'MandateSet',
  'OrderAmended',
  'OrderReplaced',
  'SharesMerged',
  'dead_man_switch',
  'duplicate_client_order_id',
  'expired',
  'mandate_exceeded',
  'post_only',
];

/** What closing accounts adds in version 4. */
const CLOSING: readonly string[] = ['AccountClosed', 'DisplayNameForgotten', 'account_closed'];

/** The same for one version of the rules: from version 2 on the exchange removes expired keys. */
export function everythingOf(rulesVersion: number): readonly string[] {
  const added = [
    ...(rulesVersion < 2 ? [] : ['unknown_key']),
    ...(rulesVersion < 3 ? [] : TOOLS),
    ...(rulesVersion < 4 ? [] : CLOSING),
    ...(rulesVersion < 6 ? [] : ['AccountRenamed', 'closed by its primary']),
  ];
  return [...EVERYTHING, ...added].sort();
}
