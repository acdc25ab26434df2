import assert from 'node:assert/strict';
import { createState, decide, evolve, RULES_VERSION } from '@paper/exchange';
import type { Decision, RejectionCode, State } from '@paper/exchange';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Command, CommandBase, CommandOf, Settings } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { ladder } from './ladder.ts';
import { eventText, orderFrom, SCENARIO_AT } from './order-text.ts';
import { dump } from './dumps/dump.ts';

export { SCENARIO_AT } from './order-text.ts';

export const OPERATOR = { kind: 'operator', name: 'op' } as const;
export const SYSTEM = { kind: 'system' } as const;

/** The key `<account>-key` of an account. */
export function keyOf(accountId: string, keyId = `${accountId}-key`): CommandBase['by'] {
  return { kind: 'key', accountId, keyId };
}

/** The fields of every command. The id is a parameter, so that a test can name the command. */
export function base(by: CommandBase['by'], id = 'command'): CommandBase {
  return { at: 0, by, causationId: id, correlationId: id, id, idempotency: null };
}

export function openAccount(
  accountId: string,
  change: Partial<CommandOf<'OpenAccount'>> = {},
): CommandOf<'OpenAccount'> {
  return {
    ...base(OPERATOR, `open-${accountId}`),
    type: 'OpenAccount',
    accountId,
    nameDigest: 'd1'.repeat(32),
    keyHash: `${accountId}-hash`,
    keyId: `${accountId}-key`,
    last4: 'last',
    permissions: ['view', 'trade', 'master', 'reconcile'],
    startingBalanceUnits: null,
    ...change,
  };
}

/** A command of ann's key that opens a sub-account of ann, with the key `<accountId>-key`. */
export function openSubAccount(
  accountId: string,
  change: Partial<CommandOf<'OpenSubAccount'>> = {},
): CommandOf<'OpenSubAccount'> {
  return {
    ...base(keyOf('ann'), `open-${accountId}`),
    type: 'OpenSubAccount',
    accountId,
    nameDigest: 'd1'.repeat(32),
    keyHash: `${accountId}-hash`,
    keyId: `${accountId}-key`,
    last4: 'last',
    permissions: null,
    ...change,
  };
}

/** A command of ann's key that issues a further key of ann. */
export function issueKey(keyId: string, change: Partial<CommandOf<'IssueApiKey'>> = {}): CommandOf<'IssueApiKey'> {
  return {
    ...base(keyOf('ann'), `issue-${keyId}`),
    type: 'IssueApiKey',
    accountId: 'ann',
    keyHash: `${keyId}-hash`,
    keyId,
    last4: 'last',
    name: 'a key',
    permissions: ['view'],
    ...change,
  };
}

export function listMarket(marketId: string, change: Partial<CommandOf<'ListMarket'>> = {}): CommandOf<'ListMarket'> {
  return {
    ...base(OPERATOR, `list-${marketId}`),
    type: 'ListMarket',
    bodyHash: `${marketId}-body`,
    category: 'category',
    citationUrl: null,
    closesAt: SCENARIO_AT * 2,
    companyImpact: 0,
    companySlug: 'company',
    description: null,
    drivers: [],
    marketId,
    phase: 'active',
    priorUnits: 5_000,
    sector: 'sector',
    settlementSource: 'source',
    tickUnits: 1,
    ticker: 'TICK',
    title: `title of ${marketId}`,
    ...change,
  };
}

/** A command that begins an epoch. Default: the newest rules with the usual settings. */
export function startEpoch(
  settings: Partial<Settings> = {},
  rulesVersion: number = RULES_VERSION,
): CommandOf<'StartWriterEpoch'> {
  return {
    ...base(SYSTEM, 'epoch'),
    type: 'StartWriterEpoch',
    at: SCENARIO_AT,
    build: 'test',
    rulesVersion,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    writerId: 'writer',
  };
}

/** The decision on a command, to be compared with the expected one. */
export class Then {
  constructor(
    readonly decision: Decision,
    private readonly context: string,
  ) {}

  /** Expects these events, in the format of `eventText`, one a line. */
  then(...expected: readonly string[]): void {
    assert.deepEqual(this.events().map(eventText), expected, this.context);
  }

  thenEvents(expected: readonly ExchangeEvent[]): void {
    assert.deepEqual(this.events(), expected, this.context);
  }

  thenRejected(code: RejectionCode, message?: RegExp | string): void {
    const { decision } = this;
    if (decision.kind !== 'rejected') assert.fail(`${this.context}: ${JSON.stringify(decision)}`);
    assert.equal(decision.code, code, `${this.context}: ${decision.message}`);
    if (typeof message === 'string') assert.equal(decision.message, message);
    else if (message !== undefined) assert.match(decision.message, message);
  }

  /** Expects no events: the command changes nothing, names something unknown, or is a replay. */
  thenNothing(kind: 'unchanged' | 'unknown_key' | 'unknown_order' | 'replayed' = 'unchanged'): void {
    assert.equal(this.decision.kind, kind, `${this.context}: ${JSON.stringify(this.decision)}`);
  }

  events(): readonly ExchangeEvent[] {
    if (this.decision.kind !== 'accepted') assert.fail(`${this.context}: ${JSON.stringify(this.decision)}`);
    return this.decision.events;
  }
}

/**
 * A test of the exchange as given → when → then. A command is an object, or an order as text (see orderFrom).
 * `afterEach` is called after every event, so that a suite can check its invariants.
 */
export class Scenario {
  readonly state: State = createState();

  constructor(
    settings: Partial<Settings> = {},
    private readonly afterEach: (state: State, event: ExchangeEvent) => void = () => undefined,
    rulesVersion: number = RULES_VERSION,
  ) {
    this.given(startEpoch(settings, rulesVersion));
  }

  /** Applies earlier commands; each must be accepted. */
  given(...commands: readonly (Command | string)[]): this {
    for (const command of commands) this.when(command).events();
    return this;
  }

  /** Decides the command under test, and applies its events. */
  when(command: Command | string): Then {
    const parsed = typeof command === 'string' ? orderFrom(command) : command;
    const before = JSON.stringify(dump(this.state));
    const decision = decide(this.state, parsed);
    assert.equal(JSON.stringify(dump(this.state)), before, 'decide changed the state');
    if (decision.kind === 'accepted') {
      let first: Command | null = parsed;
      for (const event of decision.events) {
        evolve(this.state, event, first);
        first = null;
        this.afterEach(this.state, event);
      }
    }
    return new Then(decision, typeof command === 'string' ? command : command.type);
  }

  ladder(marketId = 'm'): string {
    return ladder(this.state, marketId);
  }

  /** An account's cash and the part of it that is reserved, in dollars. */
  money(accountId: string): { readonly cash: number; readonly reserved: number } {
    const account = this.state.accounts.get(accountId);
    if (account === undefined) assert.fail(`no account ${accountId}`);
    return { cash: account.cashUnits / 10_000, reserved: account.reservedUnits / 10_000 };
  }

  /** An account's positions as text, such as `yes 10 cost 5.5, no 3 cost 1.2`, or "nothing". */
  holds(accountId: string, marketId = 'm'): string {
    const market = dump(this.state).markets.find(([id]) => id === marketId)?.[1];
    const position = market?.positions.find(([id]) => id === accountId)?.[1];
    if (position === undefined) return 'nothing';
    const { no, noCost, yes, yesCost } = position;
    const sides = [
      [yes, `yes ${yes} cost ${yesCost / 10_000}`],
      [no, `no ${no} cost ${noCost / 10_000}`],
    ] as const;
    return sides.flatMap(([shares, text]) => (shares > 0 ? [text] : [])).join(', ');
  }
}

/** A scenario with an active market `m` and the primary accounts ann, bob, cy and dan. */
export function tradingScenario(
  settings: Partial<Settings> = {},
  afterEach?: (state: State, event: ExchangeEvent) => void,
  rulesVersion?: number,
): Scenario {
  return new Scenario(settings, afterEach, rulesVersion).given(
    ...['ann', 'bob', 'cy', 'dan'].map((name) => openAccount(name)),
    listMarket('m'),
  );
}
