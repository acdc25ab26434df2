import { createHash } from 'node:crypto';
import { DEFAULT_SETTINGS, createState, decide, dump, evolve } from '@paper/exchange';
import type { Command, Decision, ExchangeEvent, Settings, State } from '@paper/exchange';
import { SMALL_SETTINGS, createWorkload } from '@paper/testkit';
import { checkPicture, createTwin, Invariants, type Twin } from '../src/index.ts';

/** A kind of run: by which settings, how long, how often. */
export interface Profile {
  readonly settings: Settings;
  readonly changeSettings: boolean;
  readonly accounts: number;
  readonly markets: number;
  readonly commands: number;
  readonly seeds: number;
  /** The rules of the first epoch; default the newest. */
  readonly rulesVersion?: number;
  /** After so many commands an epoch of the newest rules begins; default never. */
  readonly upgradeAfter?: number;
}

/** 119,000 commands in all. */
export const PROFILES: Readonly<Record<string, Profile>> = {
  // Every limit within reach, and the settings change under way.
  small: { settings: SMALL_SETTINGS, changeSettings: true, accounts: 5, markets: 4, commands: 700, seeds: 80 },
  // The same by the rules of former epochs, and across an upgrade.
  former: {
    settings: SMALL_SETTINGS,
    changeSettings: true,
    accounts: 5,
    markets: 4,
    commands: 700,
    seeds: 10,
    rulesVersion: 1,
  },
  upgraded: {
    settings: SMALL_SETTINGS,
    changeSettings: true,
    accounts: 5,
    markets: 4,
    commands: 700,
    seeds: 20,
    rulesVersion: 1,
    upgradeAfter: 350,
  },
  // As in production, with books that grow deep.
  usual: { settings: DEFAULT_SETTINGS, changeSettings: false, accounts: 6, markets: 2, commands: 1_500, seeds: 18 },
  // Hardly any money, one event of a kind a decision.
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
    seeds: 30,
  },
};

export const hashOf = (picture: unknown): string => createHash('sha256').update(JSON.stringify(picture)).digest('hex');

/** A decision as both sides must give it: all but the text for people. */
export function comparable(decision: object): string {
  const { kind, code, seq, events } = decision as { kind: string; code?: string; seq?: number; events?: unknown };
  return JSON.stringify({ kind, code, seq, events });
}

/** Applies an accepted decision; gives its events. */
export function applyDecision(state: State, command: Command, decision: Decision): readonly ExchangeEvent[] {
  if (decision.kind !== 'accepted') return [];
  decision.events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
  return decision.events;
}

/** Where the exchange and its judges parted, with the line that plays it again. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  constructor(profile: string, seed: number, index: number, command: Command, detail: string) {
    super(
      `${detail}\n  command ${index}: ${JSON.stringify(command)}\n  again: ` +
        `PROFILE=${profile} SEED=${seed} npx mocha --import=tsx packages/auditor/test/twin.spec.ts`,
    );
  }
}

/** What a test may bend, to see whether the judges notice. */
export interface Sabotage {
  /** The exchange is given another command than the twin. */
  readonly bend?: (command: Command) => Command;
  /** The state is tampered with after a decision. */
  readonly tamper?: (state: State, events: readonly ExchangeEvent[]) => void;
}

/**
 * One seeded run of the exchange against its judges: after every command the twin's decision must be the same, text
 * for text, and every invariant must hold, in the events and in the exchange's own state; every `hashEvery` commands and at the end the states must have one hash; at
 * the end a fold of the events alone must have it, too. Gives how often each thing happened.
 */
export function judgedRun(
  name: string,
  seed: number,
  hashEvery = 50,
  sabotage: Sabotage = {},
): ReadonlyMap<string, number> {
  const profile = PROFILES[name];
  if (profile === undefined) throw new Error(`no profile ${name}`);
  const workload = createWorkload({ ...profile, seed });
  const state = createState();
  const twin: Twin = createTwin();
  const invariants = new Invariants();
  const journal: { readonly event: ExchangeEvent; readonly command: Command | null }[] = [];

  for (let index = 1; index <= profile.commands; index++) {
    const command = workload.next();
    const must = (holds: boolean, detail: () => string): void => {
      if (!holds) throw new Disagreement(name, seed, index, command, detail());
    };
    let told: readonly ExchangeEvent[] = [];
    try {
      const decision = decide(state, sabotage.bend?.(command) ?? command);
      const verdict = twin.handle(command);
      must(
        comparable(decision) === comparable(verdict),
        () => `the twin decides otherwise\n  exchange: ${comparable(decision)}\n  twin:     ${comparable(verdict)}`,
      );
      const events = (told = applyDecision(state, command, decision));
      events.forEach((event, at) => journal.push({ event, command: at === 0 ? command : null }));
      for (const event of events) invariants.event(event);
      invariants.endOfDecision();
      if (events.length > 0) invariants.recount();
      const picture = dump(state);
      checkPicture(picture);
      if (index % hashEvery === 0 || index === profile.commands) {
        must(hashOf(picture) === hashOf(twin.dump()), () => firstDifference(picture, twin.dump()));
      }
      workload.observe(command, decision);
    } catch (error) {
      if (error instanceof Disagreement) throw error;
      throw new Disagreement(name, seed, index, command, String(error));
    }
    // Outside of what is judged, so that a fault of the sabotage itself is never taken for its discovery.
    sabotage.tamper?.(state, told);
  }

  const folded = createState();
  for (const { event, command } of journal) evolve(folded, event, command);
  if (hashOf(dump(folded)) !== hashOf(dump(state))) throw new Error(`${name} ${seed}: a fold of the events is another`);
  return workload.coverage;
}

/** Where two pictures part, for people. */
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
