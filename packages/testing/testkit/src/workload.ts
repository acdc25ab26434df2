import { DAY_MS } from '@paper/contracts/units';
import { RULES_VERSION } from '@paper/exchange';
import type { DueTimer } from '@paper/exchange';
import type { Actor, Command, CommandBase, CommandOf, Idempotency, Settings } from '@paper/exchange/commands';
import type { Permission } from '@paper/exchange/vocabulary';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { makeOrder } from './workload-orders.ts';
import { amendmentOf, cancelFilters, mandateOf, mergeQuantity, switchSeconds, withTools } from './workload-tools.ts';
import { WorkloadView } from './workload-view.ts';
import type { KnownMarket, KnownOrder, ObservedDecision } from './workload-view.ts';

export type { ObservedDecision } from './workload-view.ts';

/** Settings with limits so small that a few hundred commands reach each of them. */
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
  /** The settings of the first epoch. Default: SMALL_SETTINGS. */
  readonly settings?: Settings;
  /** Whether later epochs change the settings. Default: true. */
  readonly changeSettings?: boolean;
  /** The rules version of the first epochs. Default: the newest. */
  readonly rulesVersion?: number;
  /** The number of commands before an epoch of the newest rules begins, as after an upgrade. Default: no such epoch. */
  readonly upgradeAfter?: number;
  readonly markets?: number;
  readonly accounts?: number;
  /** Whether primaries close sub-accounts and change names. Default: no, since that changes a seed's commands. */
  readonly byPrimaries?: boolean;
}

/** The rules version of order tools, and of timers before commands. */
const TOOLS_VERSION = 3;
/** The rules version of the closing of accounts. */
const CLOSING_VERSION = 4;
/** From this rules version on a market whose closing time has passed can be listed only as closed. */
const LISTED_CLOSED_VERSION = 5;
/** From this rules version on a primary account can close its sub-accounts, and change its own name. */
const BY_PRIMARIES_VERSION = 6;
/** While fewer primary accounts are open, more are opened. */
const OPEN_ACCOUNTS_MIN = 4;

/** The commands that only the command side makes: for its epochs, for further parts of a resolution or closing, and for timers. */
export const COMMANDS_OF_SYSTEM: ReadonlySet<Command['type']> = new Set([
  'StartWriterEpoch',
  'ContinueRun',
  'ContinueClosing',
  'ExpireOrders',
  'FireDeadManSwitch',
]);

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
 * Makes commands of every kind, some of them invalid: first accounts, keys and markets, then a mix. Timers that are due
 * come before a command, as on the command side. The same seed and decisions give the same commands.
 */
export class Workload {
  /** The number of each kind of result, such as `PlaceOrder rejected insufficient_balance` and `fill mint`. */
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
  /** The command that waits for the timers that are due at its time. */
  #waiting: Command | null = null;
  /** The last timer that was sent; null once its decision was observed. */
  #unanswered: DueTimer | null = null;

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

  /** The next command, based on the decisions that were observed so far. */
  next(): Command {
    const command = this.#waiting ?? this.#make();
    this.#waiting = null;
    if (this.#unanswered !== null) this.#view.disarm(this.#unanswered, command.at);
    this.#unanswered = null;
    // A command that starts an epoch does not wait: the epoch's rules decide the timers.
    const mustWait = this.#rulesVersion >= TOOLS_VERSION && command.type !== 'StartWriterEpoch';
    const timer = mustWait ? this.#view.dueTimer(command.at) : null;
    if (timer === null) return command;
    this.#waiting = command;
    this.#unanswered = timer;
    const id = this.#random.uuid(command.at);
    return { at: command.at, by: SYSTEM, causationId: id, correlationId: id, id, idempotency: null, ...timer };
  }

  #make(): Command {
    this.#given += 1;
    if (this.#given === this.options.upgradeAfter) {
      this.#rulesVersion = RULES_VERSION;
      return this.#epoch(this.#settings, SYSTEM);
    }
    const queued = this.#queue.shift();
    return queued ? queued() : this.#pickKind()();
  }

  /** Reports the decision on a command. The caller must report each decision. */
  observe(command: Command, decision: ObservedDecision): void {
    if (decision.kind === 'accepted') this.#unanswered = null;
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
        if (event.postOnly) this.#count('order post-only');
        if (event.expiresAt !== null) this.#count('order with expiresAt');
        if (event.clientOrderId !== null) this.#count('order with clientOrderId');
        const isOwn = command.by.kind === 'key' && event.accountId === command.by.accountId;
        if (!isOwn) this.#count('order for a sub-account');
      } else {
        const isByPrimary = event.type === 'AccountClosed' && command.by.kind === 'key';
        this.#count(isByPrimary ? 'sub-account closed by its primary' : `event ${event.type}`);
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
      ...(this.#rulesVersion < TOOLS_VERSION ? [] : this.#toolKinds()),
      ...(this.#rulesVersion < CLOSING_VERSION ? [] : this.#closingKinds()),
      ...(this.options.byPrimaries === true && this.#rulesVersion >= BY_PRIMARIES_VERSION
        ? this.#kindsByPrimaries()
        : []),
    ]);
  }

  #toolKinds(): (readonly [weight: number, make: () => Command])[] {
    return [
      [9, () => this.#amendOrder()],
      [1.5, () => this.#cancelOrders()],
      [1.5, () => this.#mergeShares()],
      [1.2, () => this.#setDeadManSwitch()],
      [1.2, () => this.#setMandate()],
      [0.4, () => this.#clockCommand()],
    ];
  }

  /** Makes closings of accounts, and openings of others in their place. */
  #closingKinds(): (readonly [weight: number, make: () => Command])[] {
    const { accounts } = this.#view;
    const open = accounts.filter(({ closed, primary }) => !closed && primary === null);
    const closing = accounts.filter((account) => account.closing);
    const known = accounts.filter(({ closed, forgotten, primary }) => closed && !forgotten && primary === null);
    return [
      [open.length < OPEN_ACCOUNTS_MIN ? 8 : 0, () => this.#openAccount()],
      [0.2, () => this.#ofAccount('CloseAccount', open)],
      [closing.length > 0 ? 20 : 0.1, () => this.#ofAccount('ContinueClosing', closing)],
      [known.length > 0 ? 0.8 : 0.1, () => this.#ofAccount('ForgetDisplayNames', known)],
    ];
  }

  #kindsByPrimaries(): (readonly [weight: number, make: () => Command])[] {
    return [
      [0.4, () => this.#closeSubAccount()],
      [0.5, () => this.#renameAccount()],
    ];
  }

  /** Makes a rename, sometimes a week later, when a second change is accepted. */
  #renameAccount(): Command {
    const random = this.#random;
    if (random.chance(0.02)) this.#clock += 7 * DAY_MS;
    return {
      ...this.#base(this.#actor('master')),
      type: 'RenameAccount',
      nameDigest: random.chance(0.97) ? random.hex(64) : random.hex(63),
    };
  }

  /** Makes a closing, mostly of an own sub-account that is open. */
  #closeSubAccount(): Command {
    const random = this.#random;
    const base = this.#base(this.#actor('master'));
    const own = this.#view.accounts.filter(({ primary }) => primary === this.#accountOf(base.by));
    const open = own.filter(({ closed }) => !closed);
    const among = random.weighted([
      [80, open],
      [10, own],
      [10, this.#view.accounts],
    ]);
    const accountId = random.pick(among.length > 0 ? among : this.#view.accounts).id;
    return { ...base, type: 'CloseAccount', accountId };
  }

  #ofAccount(
    type: 'CloseAccount' | 'ContinueClosing' | 'ForgetDisplayNames',
    among: readonly { readonly id: string }[],
  ): Command {
    const random = this.#random;
    const isAimed = among.length > 0 && random.chance(0.9);
    const any = random.chance(0.9) ? random.pick(this.#view.accounts).id : random.uuid(this.#clock);
    const isOfSystem = type === 'ContinueClosing' && random.chance(0.98);
    const base = this.#base(isOfSystem ? SYSTEM : this.#operator(), isOfSystem ? 0 : 0.1);
    return { ...base, type, accountId: isAimed ? random.pick(among).id : any };
  }

  #base(by: Actor, idempotent = 0.2): CommandBase {
    const random = this.#random;
    // Sometimes the clock steps back, and sometimes it jumps past a time window.
    this.#clock += random.weighted<() => number>([
      [90, () => random.int(0, 40)],
      [6, () => -random.int(1, 500)],
      [3.5, () => random.int(1_000, 20_000)],
      [0.45, () => random.int(60_000, 200_000)],
      // The clock advances to about the next midnight UTC.
      [0.05, () => DAY_MS - (this.#clock % DAY_MS) + random.int(-200, 200)],
    ])();
    const id = random.uuid(this.#clock);
    const idempotency: Idempotency | null = random.chance(idempotent)
      ? { fingerprint: random.hex(64), ...this.#place(), key: `key-${random.hex(4)}` }
      : null;
    return { at: this.#clock, by, causationId: id, correlationId: id, id, idempotency };
  }

  /** The place of a command: alone, or as an item of a batch. */
  #place(): { readonly index?: number } {
    return this.#random.chance(0.3) ? { index: this.#random.int(0, 3) } : {};
  }

  /** Mostly an active key with this permission; sometimes any key, another account's, or an unknown one. */
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

  /** An actor for operators' commands: mostly the operator; seldom an account, which is not permitted. */
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
      armed: false,
    };
    return this.#view.markets.length === 0 || this.#random.chance(0.01) ? ghost : this.#random.pick(this.#view.markets);
  }

  /** The active markets whose closing time is in the future, or had already passed at their listing. */
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
    if (this.#rulesVersion < TOOLS_VERSION) {
      return makeOrder(this.#random, this.#view, base, market, this.#accountOf(base.by));
    }
    const accountId = this.#random.chance(0.12) ? this.#otherAccount(base.by) : null;
    const owner = accountId ?? this.#accountOf(base.by);
    const order: CommandOf<'PlaceOrder'> = { ...makeOrder(this.#random, this.#view, base, market, owner), accountId };
    return withTools(this.#random, this.#view, order, owner);
  }

  /** Mostly a sub-account of the actor's account; sometimes that account, any account or an unknown one. */
  #otherAccount(by: Actor): string {
    const random = this.#random;
    const own = this.#accountOf(by);
    const subs = this.#view.accounts.filter((account) => account.primary === own);
    return random.weighted<() => string>([
      [75, () => (subs.length > 0 ? random.pick(subs).id : own)],
      [12, () => random.pick(this.#view.accounts).id],
      [8, () => own],
      [5, () => random.uuid(this.#clock)],
    ])();
  }

  /** A resting order, if there is one. */
  #liveOrder(): KnownOrder | null {
    const live = [...this.#view.orders.values()];
    return live.length > 0 ? this.#random.pick(live) : null;
  }

  /** An actor that manages the account: mostly a key of the account or of its primary account. */
  #manager(accountId: string | undefined): Actor {
    const primary = this.#view.accounts.find((account) => account.id === accountId)?.primary ?? accountId;
    return this.#random.weighted<() => Actor>([
      [70, () => this.#actor('trade', accountId)],
      [20, () => this.#actor('trade', primary)],
      [10, () => this.#actor('trade')],
    ])();
  }

  /** An order id: mostly that of this order; sometimes that of an ended or an unknown one. */
  #orderId(order: KnownOrder | null): string {
    const random = this.#random;
    const dead = this.#view.endedOrders;
    return order !== null && random.chance(0.88)
      ? order.id
      : dead.length > 0 && random.chance(0.8)
        ? random.pick(dead)
        : random.uuid(this.#clock);
  }

  #cancelOrder(): Command {
    const order = this.#liveOrder();
    const by = this.#manager(order?.accountId);
    const orderId = this.#orderId(order);
    return { ...this.#base(by), type: 'CancelOrder', orderId };
  }

  #amendOrder(): Command {
    const order = this.#liveOrder();
    if (order === null) return this.#placeOrder();
    const by = this.#manager(order.accountId);
    const change = amendmentOf(this.#random, this.#view, order);
    return { ...this.#base(by), type: 'AmendOrder', orderId: this.#orderId(order), ...change };
  }

  #cancelOrders(): Command {
    const accountId = this.#liveOrder()?.accountId ?? this.#random.pick(this.#view.accounts).id;
    const filters = cancelFilters(this.#random, this.#view.markets);
    return { ...this.#base(this.#manager(accountId), 0), type: 'CancelOrders', accountId, ...filters };
  }

  #mergeShares(): Command {
    const random = this.#random;
    const held = [...this.#view.shares].filter(([, shares]) => shares > 0).map(([key]) => key.split(' '));
    const [marketId = this.#anyMarket().id, accountId] = held.length > 0 ? random.pick(held) : [];
    const by = this.#actor('trade', accountId);
    const own = this.#accountOf(by);
    const pairs = Math.min(this.#view.held(marketId, own, 'yes'), this.#view.held(marketId, own, 'no'));
    const quantity = mergeQuantity(random, pairs);
    return {
      ...this.#base(by),
      type: 'MergeShares',
      marketId: random.chance(0.03) ? this.#anyMarket().id : marketId,
      quantity,
    };
  }

  #setDeadManSwitch(): Command {
    const seconds = switchSeconds(this.#random);
    return { ...this.#base(this.#actor('trade'), 0), type: 'SetDeadManSwitch', seconds };
  }

  /** Sets a mandate, mostly for another key than the actor's: a key with a mandate cannot set a mandate. */
  #setMandate(): Command {
    const random = this.#random;
    const by = this.#actor('master');
    const own = this.#accountOf(by);
    const fleet = this.#view.accounts.filter((account) => account.id === own || account.primary === own);
    const keys = this.#view.keys.filter((key) => fleet.some((account) => account.id === key.accountId));
    const others = keys.filter((key) => key.live && by.kind === 'key' && key.keyId !== by.keyId);
    const keyId = random.weighted<() => string>([
      [85, () => random.pick(others.length > 0 ? others : this.#view.keys).keyId],
      [7, () => (keys.length > 0 ? random.pick(keys).keyId : random.uuid(this.#clock))],
      [5, () => random.pick(this.#view.keys).keyId],
      [3, () => random.uuid(this.#clock)],
    ])();
    const mandate = mandateOf(random, this.#view.markets);
    return { ...this.#base(by, 0), type: 'SetMandate', keyId, mandate };
  }

  /** A command that only the clock may send, sent too early or by another actor. */
  #clockCommand(): Command {
    const random = this.#random;
    const base = this.#base(random.chance(0.7) ? SYSTEM : this.#actor('trade'), 0);
    const accountId = random.chance(0.9) ? random.pick(this.#view.accounts).id : random.uuid(this.#clock);
    return random.chance(0.5) ? { ...base, type: 'ExpireOrders' } : { ...base, type: 'FireDeadManSwitch', accountId };
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
    const past = this.#rulesVersion < LISTED_CLOSED_VERSION ? -1_000 : 86_400_000;
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
      closesAt: base.at + random.pick([-1_000, past, 5_000, 60_000, 86_400_000, 86_400_000]),
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
      // Journals that were written before such texts were refused contain these characters.
      title: 'Will ACME\u001b[2J\u202e sell more?',
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
    const number = random.int(1, 30);
    return {
      ...base,
      type: 'RecordSignal',
      citationUrl: 'https://example.org/report',
      confidence: 0.5,
      event: null,
      externalId: `signal-${number}`,
      factValue: null,
      fairProb: 0.42,
      freshnessMs: null,
      headline: 'A\u0007 report\n\u2028',
      marketId: random.chance(0.2) ? null : this.#anyMarket().id,
      // Some signals have a time of publication that is too far in the future.
      publishedAt: number % 10 === 0 ? base.at + 48 * 3_600_000 : base.at - 1_000,
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

  /** Makes a command that starts an epoch, mostly by the system, which is the only permitted actor. */
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

export const createWorkload = (options: WorkloadOptions): Workload => new Workload(options);
