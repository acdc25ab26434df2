import type { State } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import { storedBytes } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';

/** What the keys of a fleet (a primary account with its sub-accounts) have appended on one UTC day. */
export interface FleetDay {
  readonly primaryAccountId: string;
  /** Commands that appended events; refusals, replays and previews do not count. */
  readonly commands: number;
  readonly events: number;
  /** The size of these events in the journal: their texts and types. */
  readonly bytes: number;
}

/** The row of a fleet and day, as a snapshot holds it. */
export interface UsageRow extends FleetDay {
  readonly day: number;
}

type Counts = { -readonly [K in keyof FleetDay]: FleetDay[K] };

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The number of days that are kept, today included. */
export const USAGE_DAYS = 30;
const FLEETS_SHOWN = 100;

/** The UTC day of a time, in days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** The time at which a UTC day begins. */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/**
 * What each fleet appended on each UTC day, by event time: a fold of the journal beside the exchange's state, so that a
 * restart or another leader counts the same. Of past days only the 100 fleets with the most commands are kept.
 */
export class FleetUsage {
  #day = -1;
  #today = new Map<string, Counts>();
  readonly #past = new Map<number, readonly FleetDay[]>();
  #fleet: string | null = null;

  /** Counts the next event of the journal; `command` comes with the first event of its decision, else it is null. */
  add(stored: StoredEvent, at: number, command: Command | null, state: State): void {
    if (command !== null) this.#fleet = fleetIn(state, command);
    if (this.#fleet === null) return;
    this.#begin(dayOf(at));
    const counts = this.#today.get(this.#fleet) ?? noneOf(this.#fleet);
    counts.commands += command === null ? 0 : 1;
    counts.events += 1;
    counts.bytes += storedBytes(stored);
    this.#today.set(this.#fleet, counts);
  }

  /** The number of a fleet's commands on the UTC day of `at`, which is not before the newest event's day. */
  commands(primaryAccountId: string, at: number): number {
    return dayOf(at) === this.#day ? (this.#today.get(primaryAccountId)?.commands ?? 0) : 0;
  }

  /** The fleets with the most commands on a day, most first; equal counts are ordered by id. */
  most(day: number): readonly FleetDay[] {
    return day === this.#day ? mostOf(this.#today) : (this.#past.get(day) ?? []);
  }

  *rows(): Generator<UsageRow> {
    for (const [day, fleets] of this.#past) for (const fleet of fleets) yield { ...fleet, day };
    for (const fleet of this.#today.values()) yield { ...fleet, day: this.#day };
  }

  /** Restores the counts from a snapshot's rows, which are in the order of their days. */
  static of(rows: Iterable<UsageRow>): FleetUsage {
    const usage = new FleetUsage();
    for (const { day, ...counts } of rows) {
      usage.#begin(day);
      usage.#today.set(counts.primaryAccountId, counts);
    }
    return usage;
  }

  #begin(day: number): void {
    if (day === this.#day) return;
    if (this.#today.size > 0) this.#past.set(this.#day, mostOf(this.#today));
    for (const past of this.#past.keys()) if (past <= day - USAGE_DAYS) this.#past.delete(past);
    this.#today = new Map();
    this.#day = day;
  }
}

/** The primary account of the fleet whose key sent the command; null when no key sent it. */
export function fleetIn(state: State, { by }: Pick<Command, 'by'>): string | null {
  return by.kind === 'key' ? (state.accounts.get(by.accountId)?.owner.id ?? null) : null;
}

function noneOf(primaryAccountId: string): Counts {
  return { primaryAccountId, commands: 0, events: 0, bytes: 0 };
}

function mostOf(fleets: ReadonlyMap<string, FleetDay>): readonly FleetDay[] {
  const byCommands = (a: FleetDay, b: FleetDay): number =>
    b.commands - a.commands || (a.primaryAccountId < b.primaryAccountId ? -1 : 1);
  return [...fleets.values()].sort(byCommands).slice(0, FLEETS_SHOWN);
}
