import { createHash } from 'node:crypto';
import { createState, decide, evolve } from '@paper/exchange';
import type { Decision, State } from '@paper/exchange';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Command, Settings } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { sortKeys } from '@paper/exchange/fields';
import { createWorkload, IS_LONG_RUN, SMALL_SETTINGS } from '@paper/testkit';
import { checkDump, dump } from '@paper/testkit/dumps';
import { createTwin, Invariants } from '../src/index.ts';
import type { Twin } from '../src/index.ts';
import { dumpTwin } from './twin-dump.ts';

/** A kind of run: its settings, length and number. */
export interface Profile {
  readonly settings: Settings;
  readonly changeSettings: boolean;
  readonly accounts: number;
  readonly markets: number;
  readonly commands: number;
  readonly seeds: number;
  /** Rules version of the first epochs; default the newest. */
  readonly rulesVersion?: number;
  /** An epoch of the newest rules begins after this many commands. Default: never. */
  readonly upgradeAfter?: number;
}

/** Of each kind of run there are so many with LONG_TESTS=1, and else a fifth, which do not meet each rare thing. */
const seeds = (all: number): number => (IS_LONG_RUN ? all : Math.ceil(all / 5));

export const PROFILES: Readonly<Record<string, Profile>> = {
  // Limits that the run reaches, with settings that change during the run.
  small: {
    settings: SMALL_SETTINGS,
    changeSettings: true,
    accounts: 5,
    markets: 4,
    commands: 700,
    seeds: seeds(120),
  },
  // The same limits with the rules of former epochs, and across an upgrade.
  former: {
    settings: SMALL_SETTINGS,
    changeSettings: true,
    accounts: 5,
    markets: 4,
    commands: 700,
    seeds: seeds(10),
    rulesVersion: 1,
  },
  upgraded: {
    settings: SMALL_SETTINGS,
    changeSettings: true,
    accounts: 5,
    markets: 4,
    commands: 700,
    seeds: seeds(20),
    rulesVersion: 1,
    upgradeAfter: 350,
  },
  // Production's settings, with deep books.
  usual: {
    settings: DEFAULT_SETTINGS,
    changeSettings: false,
    accounts: 6,
    markets: 2,
    commands: 1_500,
    seeds: seeds(18),
  },
  // Hardly any money, and decisions of one event.
  tight: {
    settings: {
      ...SMALL_SETTINGS,
      fillsPerCommand: 2,
      openOrdersPerAccount: 4,
      runChunk: 1,
      startingBalanceUnits: 60_000,
    },
    changeSettings: false,
    accounts: 9,
    markets: 2,
    commands: 500,
    seeds: seeds(40),
  },
};

export const hashOf = (picture: unknown): string => createHash('sha256').update(JSON.stringify(picture)).digest('hex');

/** The decision without its text for people; the rest must be equal on both sides. */
export function comparable(decision: object): string {
  const { kind, code, seq, events } = decision as { kind: string; code?: string; seq?: number; events?: unknown };
  return JSON.stringify({ kind, code, seq, events });
}

/** The twin's verdict as `comparable`. The twin emits fields in any order, the exchange in that of the stored texts. */
function comparableVerdict(verdict: ReturnType<Twin['handle']>): string {
  return comparable(verdict.kind === 'accepted' ? { ...verdict, events: verdict.events.map(sortKeys) } : verdict);
}

/** Applies an accepted decision; gives its events. */
export function applyDecision(state: State, command: Command, decision: Decision): readonly ExchangeEvent[] {
  if (decision.kind !== 'accepted') return [];
  decision.events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
  return decision.events;
}

/** The exchange and its judges differed; the message has the command that repeats the run. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  constructor(profile: string, seed: number, index: number, command: Command, detail: string) {
    super(
      `${detail}\n  command ${index}: ${JSON.stringify(command)}\n  again: ` +
        `PROFILE=${profile} SEED=${seed} npx mocha --import=tsx packages/core/auditor/test/twin.spec.ts`,
    );
  }
}

/** Faults that a test adds, to see whether the judges notice. */
export interface Sabotage {
  /** Gives the exchange another command than the twin. */
  readonly bend?: (command: Command) => Command;
  /** Changes the state after a decision. */
  readonly tamper?: (state: State, events: readonly ExchangeEvent[]) => void;
}

/**
 * One seeded run of the exchange against its judges. After every command the twin's decision must be the same, text for
 * text, and every invariant must hold in the events and in the exchange's state. Every `hashEvery` commands and at the
 * end both states must have the same hash; at the end a fold of the events alone must have it too. Gives how often each
 * thing happened.
 */
export function judgedRun(
  name: string,
  seed: number,
  hashEvery = 50,
  sabotage: Sabotage = {},
): ReadonlyMap<string, number> {
  const profile = PROFILES[name];
  if (profile === undefined) throw new Error(`no profile ${name}`);
  const workload = createWorkload({ ...profile, byPrimaries: true, seed });
  const state = createState();
  const twin: Twin = createTwin();
  const invariants = new Invariants();
  const journal: { readonly event: ExchangeEvent; readonly command: Command | null }[] = [];

  for (let index = 1; index <= profile.commands; index++) {
    const command = workload.next();
    const must = (holds: boolean, detail: () => string): void => {
      if (!holds) throw new Disagreement(name, seed, index, command, detail());
    };
    let applied: readonly ExchangeEvent[] = [];
    try {
      const decision = decide(state, sabotage.bend?.(command) ?? command);
      const verdict = twin.handle(command);
      must(
        comparable(decision) === comparableVerdict(verdict),
        () =>
          `the twin decides otherwise\n  exchange: ${comparable(decision)}\n  twin:     ${comparableVerdict(verdict)}`,
      );
      const events = (applied = applyDecision(state, command, decision));
      events.forEach((event, at) => journal.push({ event, command: at === 0 ? command : null }));
      for (const event of events) invariants.apply(event);
      invariants.endOfDecision();
      if (events.length > 0) invariants.recount();
      const picture = dump(state);
      checkDump(picture);
      if (index % hashEvery === 0 || index === profile.commands) {
        must(hashOf(picture) === hashOf(dumpTwin(twin)), () => firstDifference(picture, dumpTwin(twin)));
      }
      workload.observe(command, decision);
    } catch (error) {
      if (error instanceof Disagreement) throw error;
      throw new Disagreement(name, seed, index, command, String(error));
    }
    // Outside of the judged part, so that an error in the sabotage itself is not mistaken for its detection.
    sabotage.tamper?.(state, applied);
  }

  const folded = createState();
  for (const { event, command } of journal) evolve(folded, event, command);
  if (hashOf(dump(folded)) !== hashOf(dump(state))) throw new Error(`${name} ${seed}: a fold of the events is another`);
  return workload.coverage;
}

/** The first difference between two dumps, for people. */
function firstDifference(exchange: unknown, twin: unknown, path = 'state'): string {
  if (typeof exchange !== 'object' || typeof twin !== 'object' || exchange === null || twin === null) {
    return `${path} differs: exchange ${JSON.stringify(exchange)}, twin ${JSON.stringify(twin)}`;
  }
  for (const key of new Set([...Object.keys(exchange), ...Object.keys(twin)])) {
    const a: unknown = (exchange as Record<string, unknown>)[key];
    const b: unknown = (twin as Record<string, unknown>)[key];
    if (JSON.stringify(a) !== JSON.stringify(b)) return firstDifference(a, b, `${path}.${key}`);
  }
  return `${path} differs in the order of its keys`;
}
