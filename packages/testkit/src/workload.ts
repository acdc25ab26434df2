import { RULES_VERSION } from '@paper/exchange';
import type { Actor, Command, CommandBase, Idempotency, Permission, Settings } from '@paper/exchange';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { makeOrder } from './workload-orders.ts';
import { WorkloadView } from './workload-view.ts';
import type { KnownMarket, ObservedDecision } from './workload-view.ts';

export type { ObservedDecision } from './workload-view.ts';

/** Limits so small that a few hundred commands run into each of them. */
export const SMALL_SETTINGS: Settings = {
  complianceMode: 'paper',
  fillsPerCommand: 5,
  idempotencyEntries: 12,
  idempotencyWindowMs: 60_000,
  liveKeysPerAccount: 4,
  openOrdersPerAccount: 20,
  revokedKeyWindowMs: 60_000,
  revokedKeysPerAccount: 3,
  runChunk: 3,
  startingBalanceUnits: 2_000_000,
  subAccountsPerPrimary: 2,
};

export interface WorkloadOptions {
  readonly seed: number;
  /** The settings of the first epoch; default SMALL_SETTINGS. */
  readonly settings?: Settings;
  /** Whether later epochs change the settings; default true. */
  readonly changeSettings?: boolean;
  /** Rules version of the first epochs; default the newest. */
  readonly rulesVersion?: number;
  /** An epoch of the newest rules begins after this many commands, as after an upgrade. Default: never. */
  readonly upgradeAfter?: number;
  readonly markets?: number;
  readonly accounts?: number;
}

export interface Workload {
  /** The next command, based on the decisions observed so far. */
  next(): Command;
  /** Reports the decision on a command; call it after each. */
  observe(command: Command, decision: ObservedDecision): void;
  /** How often each thing happened: `PlaceOrder accepted`, `PlaceOrder rejected insufficient_balance`, `fill mint`, … */
  readonly coverage: ReadonlyMap<string, number>;
}

const SYSTEM: Actor = { kind: 'system' };
const PERMISSIONS: readonly Permission[] = ['view', 'trade', 'master', 'reconcile'];
const PERMISSION_SETS: readonly (readonly Permission[])[] = [
  ['view', 'trade'],
  ['view'],
  ['trade'],
  ['master'],
  ['view', 'trade', 'reconcile'],
  ['trade', 'master', 'trade'],
  [],
];

/**
 * A seeded stream of commands that covers the whole exchange: first accounts, keys and markets, then a mix of orders,
 * cancels, idempotent repeats, fleet and key management, operators' commands and runs, some of them invalid. The same
 * seed and the same decisions give the same commands.
 */
export function createWorkload(options: WorkloadOptions): Workload {
  return new SeededWorkload(options);
}

class SeededWorkload implements Workload {
  readonly coverage = new Map<string, number>();
  readonly #random: Random;
  readonly #view = new WorkloadView();
  readonly #queue: (() => Command)[] = [];
  readonly #sent: Command[] = [];
  #clock = 1_750_000_000_000;
  #listed = 0;
  #settings: Settings;
  #rulesVersion: number;
  #given = 0;

  constructor(readonly options: WorkloadOptions) {
    this.#random = createRandom(options.seed);
    this.#settings = options.settings ?? SMALL_SETTINGS;
    this.#rulesVersion = options.rulesVersion ?? RULES_VERSION;
    this.#queue.push(() => this.#epoch(this.#settings, SYSTEM));
    for (let i = 0; i < (options.accounts ?? 5); i++) this.#queue.push(() => this.#openAccount());
    for (let i = 0; i < (options.markets ?? 4); i++) this.#queue.push(() => this.#listMarket());
    this.#queue.push(
      () => this.#openSubAccount(),
      () => this.#openSubAccount(),
    );
  }

  next(): Command {
    this.#given += 1;
    if (this.#given === this.options.upgradeAfter) {
      this.#rulesVersion = RULES_VERSION;
      return this.#epoch(this.#settings, SYSTEM);
    }
    const queued = this.#queue.shift();
    return queued ? queued() : this.#pickKind()();
  }

  observe(command: Command, decision: ObservedDecision): void {
    const code = decision.code === undefined ? '' : ` ${decision.code}`;
    this.#count(`${command.type} ${decision.kind}${code}`);
    for (const event of decision.events ?? []) {
      if (event.type === 'OrderFilled') {
        this.#count(`fill ${event.kind}`);
        if (event.makerRemaining > 0) this.#count('fill leaves a maker partly filled');
      } else if (event.type === 'OrderCancelled') {
        this.#count(`cancel ${event.reason}`);
      } else if (event.type === 'OrderPlaced') {
        const state = event.restQuantity === 0 ? 'does not rest' : event.fillQuantity > 0 ? 'fills and rests' : 'rests';
        this.#count(`order ${event.orderType} ${event.timeInForce} ${state}`);
        if (event.notionalUnits !== null) this.#count('order by notional');
      } else {
        this.#count(`event ${event.type}`);
      }
    }
    this.#view.apply(command, decision);
    if (command.idempotency && decision.kind === 'accepted') this.#sent.push(command);
    if (this.#sent.length > 40) this.#sent.shift();
  }

  #count(what: string): void {
    this.coverage.set(what, (this.coverage.get(what) ?? 0) + 1);
  }

  #pickKind(): () => Command {
    const running = this.#view.markets.filter((market) => market.running);
    const active = this.#open();
    return this.#random.weighted<() => Command>([
      [running.length > 0 ? 40 : 0.3, () => this.#marketCommand('ContinueRun', running)],
      [64, () => this.#placeOrder()],
      [10, () => this.#cancelOrder()],
      [5, () => this.#repeat()],
      [1.2, () => this.#openSubAccount()],
      [1.2, () => this.#issueKey()],
      [0.8, () => this.#revokeKey()],
      [0.5, () => this.#openAccount()],
      [0.6, () => this.#approve()],
      [active.length < 2 ? 6 : 0.4, () => this.#listMarket()],
      [0.8, () => this.#amendMarket()],
      [2.5, () => this.#marketCommand('ActivateMarket')],
      [0.6, () => this.#marketCommand('PauseMarket')],
      [0.5, () => this.#marketCommand('CloseMarket')],
      [0.2, () => this.#resolve()],
      [0.2, () => this.#void()],
      [1.2, () => this.#recordSignal()],
      [this.options.changeSettings === false ? 0 : 0.4, () => this.#epoch(this.#otherSettings())],
    ]);
  }

  #base(by: Actor, idempotent = 0.2): CommandBase {
    const random = this.#random;
    // Mostly a few milliseconds later; sometimes the clock steps back, sometimes it jumps past a time window.
    this.#clock += random.weighted<() => number>([
      [90, () => random.int(0, 40)],
      [6, () => -random.int(1, 500)],
      [3.5, () => random.int(1_000, 20_000)],
      [0.5, () => random.int(60_000, 200_000)],
    ])();
    const id = random.uuid(this.#clock);
    const idempotency: Idempotency | null = random.chance(idempotent)
      ? { fingerprint: random.hex(64), ...this.#place(), key: `key-${random.hex(4)}` }
      : null;
    return { at: this.#clock, by, causationId: id, correlationId: id, id, idempotency };
  }

  /** A single command, or an item of a batch. */
  #place(): { readonly index?: number } {
    return this.#random.chance(0.3) ? { index: this.#random.int(0, 3) } : {};
  }

  /** Mostly a live key with this permission; sometimes any key, another account's key, or an unknown one. */
  #actor(permission: Permission, ofAccount?: string): Actor {
    const random = this.#random;
    const keys = this.#view.keys.filter((key) => ofAccount === undefined || key.accountId === ofAccount);
    const good = keys.filter((key) => key.live && key.permissions.includes(permission));
    const chosen =
      good.length > 0 && random.chance(0.94) ? random.pick(good) : keys.length > 0 ? random.pick(keys) : null;
    if (chosen === null || random.chance(0.005)) {
      return random.chance(0.5)
        ? { kind: 'key', accountId: random.pick(this.#view.accounts).id, keyId: random.uuid(this.#clock) }
        : { kind: 'operator', name: 'nobody' };
    }
    return { kind: 'key', accountId: chosen.accountId, keyId: chosen.keyId };
  }

  /** Mostly the operator; seldom an account, which is not permitted. */
  #operator(): Actor {
    const isAllowed = this.#view.accounts.length === 0 || this.#random.chance(0.97);
    return isAllowed ? { kind: 'operator', name: 'ops' } : this.#actor('master');
  }

  #accountOf(actor: Actor): string {
    return actor.kind === 'key' ? actor.accountId : this.#random.pick(this.#view.accounts).id;
  }

  #anyMarket(): KnownMarket {
    const ghost = {
      id: 'no-such-market',
      tick: 100,
      prior: 5_000,
      bodyHash: '',
      phase: '',
      closesAt: 0,
      hasClosingTime: false,
      running: false,
    };
    return this.#view.markets.length === 0 || this.#random.chance(0.01) ? ghost : this.#random.pick(this.#view.markets);
  }

  /** Active markets whose closing time has not come, or had already passed at their listing. */
  #open(): readonly KnownMarket[] {
    return this.#view.markets.filter(
      ({ phase, hasClosingTime, closesAt }) => phase === 'active' && (!hasClosingTime || closesAt > this.#clock),
    );
  }

  #placeOrder(): Command {
    const active = this.#open();
    // Half the orders go to one market, so that its book is deep.
    const market =
      active.length > 0 && this.#random.chance(0.97)
        ? this.#random.chance(0.5)
          ? (active[0] as KnownMarket)
          : this.#random.pick(active)
        : this.#anyMarket();
    const base = this.#base(this.#actor('trade'));
    return makeOrder(this.#random, this.#view, base, market, this.#accountOf(base.by));
  }

  #cancelOrder(): Command {
    const random = this.#random;
    const live = [...this.#view.orders.values()];
    const order = live.length > 0 ? random.pick(live) : null;
    const primary = this.#view.accounts.find((account) => account.id === order?.accountId)?.primary ?? order?.accountId;
    const by = random.weighted<() => Actor>([
      [70, () => this.#actor('trade', order?.accountId)],
      [20, () => this.#actor('trade', primary)],
      [10, () => this.#actor('trade')],
    ])();
    const dead = this.#view.endedOrders;
    const orderId =
      order !== null && random.chance(0.88)
        ? order.id
        : dead.length > 0 && random.chance(0.8)
          ? random.pick(dead)
          : random.uuid(this.#clock);
    return { ...this.#base(by), type: 'CancelOrder', orderId };
  }

  /** A repeat of an earlier request, as after a lost answer; or a different request with the same key. */
  #repeat(): Command {
    if (this.#sent.length === 0) return this.#placeOrder();
    const first = this.#random.pick(this.#sent);
    const fresh = { ...this.#base(first.by, 0), idempotency: first.idempotency };
    if (first.idempotency && this.#random.chance(0.25)) {
      fresh.idempotency = { ...first.idempotency, fingerprint: this.#random.hex(64) };
    } else if (first.idempotency && this.#random.chance(0.2)) {
      const { fingerprint, key } = first.idempotency;
      fresh.idempotency = { fingerprint, ...this.#place(), key };
    }
    const again = { ...first, ...fresh };
    switch (again.type) {
      case 'PlaceOrder':
        return { ...again, orderId: this.#random.uuid(this.#clock) };
      case 'OpenAccount':
      case 'OpenSubAccount':
        return { ...again, accountId: this.#random.uuid(this.#clock), ...this.#newKey() };
      case 'IssueApiKey':
        return { ...again, ...this.#newKey() };
      default:
        return again;
    }
  }

  #newKey(): { keyHash: string; keyId: string; last4: string } {
    return { keyHash: this.#random.hex(64), keyId: this.#random.uuid(this.#clock), last4: this.#random.hex(4) };
  }

  #openAccount(): Command {
    const random = this.#random;
    return {
      ...this.#base(this.#operator()),
      type: 'OpenAccount',
      accountId: random.uuid(this.#clock),
      nameDigest: random.chance(0.97) ? random.hex(64) : random.pick(['', random.hex(63), 'G'.repeat(64)]),
      ...this.#newKey(),
      permissions: random.chance(0.85) ? PERMISSIONS : random.pick(PERMISSION_SETS),
      startingBalanceUnits: random.chance(0.97)
        ? random.pick([null, null, 10_000, 150_000, 30_000_000])
        : random.pick([0, 9_999, 100_000_000_001, 10_000.5]),
    };
  }

  #openSubAccount(): Command {
    const random = this.#random;
    const base = this.#base(this.#actor('master'));
    return {
      ...base,
      type: 'OpenSubAccount',
      accountId: random.uuid(this.#clock),
      nameDigest: random.hex(64),
      ...this.#newKey(),
      permissions: random.chance(0.6) ? null : random.pick([...PERMISSION_SETS, PERMISSIONS]),
    };
  }

  #issueKey(): Command {
    const random = this.#random;
    const base = this.#base(random.chance(0.3) ? { kind: 'operator', name: 'ops' } : this.#actor('master'));
    const own = this.#accountOf(base.by);
    const subs = this.#view.accounts.filter((account) => account.primary === own);
    const any = random.pick(this.#view.accounts).id;
    const accountId = random.weighted([
      [40, own],
      [30, subs.length > 0 ? random.pick(subs).id : own],
      [25, any],
      [5, random.uuid(this.#clock)],
    ]);
    return {
      ...base,
      type: 'IssueApiKey',
      accountId,
      ...this.#newKey(),
      name: `bot ${random.hex(2)}`,
      permissions: random.pick([...PERMISSION_SETS, PERMISSIONS]),
    };
  }

  #revokeKey(): Command {
    const random = this.#random;
    const by = this.#actor('master');
    const own = this.#accountOf(by);
    const fleet = this.#view.accounts.filter((account) => account.id === own || account.primary === own);
    const near = this.#view.keys.filter((key) => fleet.some((account) => account.id === key.accountId));
    const keyId = random.weighted([
      [80, near.length > 0 ? random.pick(near).keyId : random.uuid(this.#clock)],
      [15, random.pick(this.#view.keys).keyId],
      [5, random.uuid(this.#clock)],
    ]);
    return { ...this.#base(by), type: 'RevokeApiKey', keyId };
  }

  #approve(): Command {
    const accountId = this.#random.chance(0.95)
      ? this.#random.pick(this.#view.accounts).id
      : this.#random.uuid(this.#clock);
    return { ...this.#base(this.#operator()), type: 'ApproveAccount', accountId };
  }

  #listMarket(): Command {
    const random = this.#random;
    const again = this.#view.markets.length > 0 && random.chance(0.25) ? random.pick(this.#view.markets) : null;
    const base = this.#base(this.#operator());
    const tickUnits =
      again?.tick ??
      random.weighted([
        [99, random.pick([1, 10, 100, 100])],
        [1, 2],
      ] as const);
    return {
      ...base,
      type: 'ListMarket',
      bodyHash: again && random.chance(0.7) ? again.bodyHash : random.hex(64),
      category: 'revenue',
      citationUrl: null,
      closesAt: base.at + random.pick([-1_000, -1_000, 5_000, 60_000, 86_400_000, 86_400_000]),
      companyImpact: 0.25,
      companySlug: 'acme',
      description: null,
      drivers: ['rates'],
      marketId: again?.id ?? (random.chance(0.98) ? `market-${++this.#listed}` : random.pick(['signals', '-a', ''])),
      phase: this.#listed <= 2 || random.chance(0.8) ? 'active' : random.pick(['scheduled', 'scheduled', 'closed']),
      priorUnits: random.chance(0.97) ? random.pick([100, 2_500, 5_000, 5_000, 7_777, 9_900]) : random.pick([99, 50.5]),
      sector: 'technology',
      settlementSource: 'filing',
      tickUnits,
      ticker: 'ACME',
      title: 'Will ACME sell more?',
    };
  }

  #amendMarket(): Command {
    const random = this.#random;
    const base = this.#base(this.#operator());
    return {
      ...base,
      type: 'AmendMarket',
      citationUrl: null,
      closesAt: random.chance(0.5) ? base.at + random.pick([-1_000, 0, 5_000, 500_000, 86_400_000]) : null,
      companyImpact: random.chance(0.3) ? 0.5 : null,
      description: random.chance(0.3) ? 'amended' : null,
      drivers: random.chance(0.3) ? ['rates', 'chips'] : null,
      marketId: this.#anyMarket().id,
      title: random.chance(0.3) ? 'Will ACME sell less?' : null,
    };
  }

  #marketCommand(
    type: 'ActivateMarket' | 'PauseMarket' | 'CloseMarket' | 'ContinueRun',
    among: readonly KnownMarket[] = [],
  ): Command {
    const random = this.#random;
    const stopped = this.#view.markets.filter((market) => ['scheduled', 'paused', 'closed'].includes(market.phase));
    const aimed = type === 'ActivateMarket' && random.chance(0.85) ? stopped : among;
    const marketId = aimed.length > 0 ? random.pick(aimed).id : this.#anyMarket().id;
    const system = type === 'ContinueRun' ? 0.98 : type === 'CloseMarket' ? 0.5 : 0;
    const by: Actor = random.chance(system) ? { kind: 'system' } : this.#operator();
    return { ...this.#base(by, 0.02), type, marketId };
  }

  #resolve(): Command {
    return {
      ...this.#base(this.#operator()),
      type: 'ResolveMarket',
      citationUrl: null,
      headline: 'Reported',
      marketId: this.#anyMarket().id,
      outcome: this.#random.pick(['yes', 'no']),
      source: null,
    };
  }

  #void(): Command {
    return {
      ...this.#base(this.#operator()),
      type: 'VoidMarket',
      marketId: this.#anyMarket().id,
      priceUnits: this.#random.pick([null, null, 0, 10_000, 5_000, 2_500, 3_333, -1, 10_001]),
      reason: 'withdrawn',
    };
  }

  #recordSignal(): Command {
    const random = this.#random;
    const base = this.#base(this.#operator());
    return {
      ...base,
      type: 'RecordSignal',
      citationUrl: 'https://example.org/report',
      confidence: 0.5,
      event: null,
      externalId: `signal-${random.int(1, 30)}`,
      factValue: null,
      fairProb: 0.42,
      freshnessMs: null,
      headline: 'A report',
      marketId: random.chance(0.2) ? null : this.#anyMarket().id,
      publishedAt: base.at - 1_000,
      source: random.pick(['wire', 'filing']),
      threshold: null,
    };
  }

  #otherSettings(): Settings {
    const random = this.#random;
    return {
      ...this.#settings,
      complianceMode: random.chance(0.12) ? 'kyc' : 'paper',
      fillsPerCommand: random.pick([2, 5, 500]),
      idempotencyEntries: random.pick([3, 12, 1000]),
      openOrdersPerAccount: random.pick([4, 20, 1000]),
      runChunk: random.pick([1, 3, 400]),
      startingBalanceUnits: random.pick([100_000, 2_000_000, 100_000_000]),
    };
  }

  /** Mostly by the system, the only permitted actor. */
  #epoch(settings: Settings, by = this.#random.chance(0.9) ? SYSTEM : this.#operator()): Command {
    return {
      ...this.#base(by, 0),
      type: 'StartWriterEpoch',
      build: 'test',
      rulesVersion: this.#rulesVersion,
      settings,
      writerId: `writer-${this.#random.hex(4)}`,
    };
  }
}
