import type { Decision } from '@paper/exchange';
import { DEFAULT_SETTINGS, PLAIN_ORDER } from '@paper/exchange/commands';
import type { Command, Settings, Untimed } from '@paper/exchange/commands';
import type { Permission } from '@paper/exchange/vocabulary';
import { createMemoryJournal, createMemoryLog, decode } from '@paper/journal';
import type { Journal, MemoryLog } from '@paper/journal';
import { v7 } from 'uuid';
import { accountLane, operatorLane, SYSTEM_LANE } from '../src/writer/pending-command.ts';
import type { CommandLane, CommandResult } from '../src/writer/pending-command.ts';
import type { TrustedClock } from '../src/writer/trusted-clock.ts';
import type { StartPoint } from '../src/writer/load.ts';
import type { WriterObserver } from '../src/writer/observer.ts';
import type { DayLimit } from '../src/usage/day-limit.ts';
import { Writer } from '../src/writer/writer.ts';
import { createFaultyJournal, FakeClock } from '@paper/testkit';
import type { Fault } from '@paper/testkit';

type Written<C> = C extends Command ? Omit<C, 'at' | 'causationId' | 'correlationId' | 'id' | 'idempotency'> : never;

/** A command as a test writes it: the harness adds missing ids and the clock reading. */
export type TestCommand = Written<Command> & { readonly idempotency?: Command['idempotency'] };

export const operator = { kind: 'operator', name: 'ops' } as const;
export const keyOf = (accountId: string) => ({ accountId, keyId: `${accountId}-key`, kind: 'key' }) as const;
const EVERYTHING: readonly Permission[] = ['view', 'trade', 'master', 'reconcile'];

export function laneOf(command: TestCommand): CommandLane {
  switch (command.by.kind) {
    case 'key':
      return accountLane(command.by.accountId, null);
    case 'operator':
      return operatorLane(command.by.name);
    case 'system':
      return SYSTEM_LANE;
  }
}

/** The lane, the command with new ids, and an answer that is the decision itself: what the writer is given. */
export function requestFor(command: TestCommand): [CommandLane, Untimed, (decision: Decision) => Decision] {
  const id = v7();
  const base = { causationId: id, correlationId: id, id, idempotency: null };
  return [laneOf(command), { ...base, ...command }, (decision) => decision];
}

export function openAccount(accountId: string): TestCommand {
  return {
    accountId,
    by: operator,
    nameDigest: 'd1'.repeat(32),
    keyHash: `hash of ${accountId}`,
    keyId: `${accountId}-key`,
    last4: 'abcd',
    permissions: EVERYTHING,
    startingBalanceUnits: null,
    type: 'OpenAccount',
  };
}

export function listMarket(
  marketId: string,
  closesAt = 4_000_000_000_000,
): TestCommand & { readonly type: 'ListMarket' } {
  return {
    bodyHash: `body of ${marketId}`,
    by: operator,
    category: 'revenue',
    citationUrl: null,
    closesAt,
    companyImpact: 0,
    companySlug: 'acme',
    description: null,
    drivers: [],
    marketId,
    phase: 'active',
    priorUnits: 5_000,
    sector: 'technology',
    settlementSource: 'filing',
    tickUnits: 1,
    ticker: 'ACME',
    title: 'Will ACME sell more?',
    type: 'ListMarket',
  };
}

/** Buys `quantity` YES shares at most at `priceUnits`; the unfilled rest enters the book. */
export function buy(
  accountId: string,
  marketId: string,
  priceUnits = 4_000,
  quantity = 1,
): TestCommand & { readonly type: 'PlaceOrder' } {
  return {
    ...PLAIN_ORDER,
    accountId: null,
    by: keyOf(accountId),
    marketId,
    maxPriceUnits: null,
    notionalUnits: null,
    offTick: false,
    orderId: v7(),
    orderType: 'limit',
    outcome: 'yes',
    priceUnits,
    quantity,
    side: 'buy',
    slippageUnits: null,
    timeInForce: 'GTC',
    type: 'PlaceOrder',
  };
}

/** A writer over a journal in memory, and a record of what its observer received. */
export interface WriterHarness {
  readonly writer: Writer;
  readonly clock: FakeClock;
  readonly log: MemoryLog;
  readonly alarms: string[];
  readonly batches: number[];
  readonly resent: number[];
  readonly fenced: Error[];
  readonly submit: (command: TestCommand) => Promise<CommandResult<Decision>>;
}

export interface WriterHarnessOptions {
  readonly log?: MemoryLog;
  readonly clock?: FakeClock;
  /** The trusted clock over the same `clock`. */
  readonly trustedClock?: TrustedClock;
  readonly settings?: Settings;
  readonly dayLimit?: DayLimit;
  readonly capacity?: number;
  readonly slice?: number;
  /** Whether the lease is held; default: always. */
  readonly leads?: () => boolean;
  readonly loadFrom?: StartPoint;
  /** Wraps the journal, to make it slow or to make it fail. */
  readonly journal?: (inner: Journal) => Journal;
}

export function writerHarness(options: WriterHarnessOptions = {}): WriterHarness {
  const { log = createMemoryLog(), clock = new FakeClock(), settings = DEFAULT_SETTINGS } = options;
  const inner = createMemoryJournal(log);
  const alarms: string[] = [];
  const batches: number[] = [];
  const resent: number[] = [];
  const fenced: Error[] = [];
  const observer: WriterObserver = {
    alarm: (message) => void alarms.push(message),
    appended: ({ events }) => void batches.push(events),
    decided: () => undefined,
    noted: () => undefined,
    queueDepth: () => undefined,
    resent: (attempt) => void resent.push(attempt),
  };
  const writer = new Writer({
    build: 'test',
    clock,
    journal: options.journal?.(inner) ?? inner,
    observer,
    onFenced: (error) => void fenced.push(error),
    settings,
    ...(options.loadFrom === undefined ? {} : { loadFrom: options.loadFrom }),
    ...(options.trustedClock === undefined ? {} : { trustedClock: options.trustedClock }),
    ...(options.dayLimit === undefined ? {} : { dayLimit: options.dayLimit }),
    ...(options.capacity === undefined ? {} : { capacity: options.capacity }),
    ...(options.slice === undefined ? {} : { slice: options.slice }),
    ...(options.leads === undefined ? {} : { leads: options.leads }),
  });
  return {
    alarms,
    batches,
    clock,
    fenced,
    log,
    resent,
    submit: (command) => writer.submit(...requestFor(command)),
    writer,
  };
}

/** Gives 'ok' when the promise resolves, else the error's code, or its text where it has no code. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

export const typesIn = (log: MemoryLog): readonly string[] => log.events.map((event) => event.type);
export const commandsIn = (log: MemoryLog): readonly Command[] =>
  log.events.flatMap((stored) => decode(stored).command ?? []);

/** A journal whose appends wait for the test. */
export function gate() {
  let open: (() => void)[] = [];
  let held = false;
  return {
    hold: () => {
      held = true;
    },
    release: () => {
      held = false;
      for (const go of open.splice(0)) go();
    },
    waiting: () => open.length,
    journal: (inner: Journal): Journal =>
      createFaultyJournal(inner, () =>
        held ? new Promise<Fault | null>((resolve) => (open = [...open, () => resolve(null)])) : null,
      ),
  };
}

/** A writer harness with a market and these accounts. */
export async function serving(accounts: readonly string[], options: WriterHarnessOptions = {}): Promise<WriterHarness> {
  const harness = writerHarness(options);
  await harness.writer.start();
  await harness.submit(listMarket('m'));
  for (const account of accounts) await harness.submit(openAccount(account));
  return harness;
}
