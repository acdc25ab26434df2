/** The twin's memory of Idempotency-Keys: plain collections, oldest first. */
export interface Memory {
  readonly all: Set<Remembered>;
  /** Indexed by actor and key, then by the index in a batch (null for a single command). */
  readonly byName: Map<string, Map<number | null, Remembered>>;
  readonly byFleet: Map<string, Set<Remembered>>;
}

interface Remembered {
  readonly name: string;
  readonly index: number | null;
  readonly fingerprint: string;
  readonly at: number;
  readonly seq: number;
  readonly fleet: Fleet;
}

/** A primary with its sub-accounts, or another actor (number null). Primaries sort first, by number; actors by name. */
export interface Fleet {
  readonly name: string;
  readonly number: number | null;
}

export const createMemory = (): Memory => ({ all: new Set(), byName: new Map(), byFleet: new Map() });

/** Joins scope and key. The length keeps `a b` with `c` apart from `a` with `b c`. */
export const scopedName = (scope: string, key: string): string => `${scope.length} ${scope} ${key}`;

/** The same key at the same index; 'other form' if a single command used a batch's key, or the reverse. */
export function findRememberedKey(
  memory: Memory,
  name: string,
  index: number | null,
): Remembered | 'other form' | null {
  const places = memory.byName.get(name);
  if (places === undefined) return null;
  const same = places.get(index);
  if (same !== undefined) return same;
  const others = [...places.keys()].filter((place) => (place === null) !== (index === null));
  return others.length > 0 ? 'other form' : null;
}

export function remember(memory: Memory, entry: Remembered): void {
  const before = memory.byName.get(entry.name)?.get(entry.index);
  if (before !== undefined) forget(memory, before);
  memory.all.add(entry);
  const places = memory.byName.get(entry.name) ?? new Map<number | null, Remembered>();
  memory.byName.set(entry.name, places.set(entry.index, entry));
  const held = memory.byFleet.get(entry.fleet.name) ?? new Set<Remembered>();
  memory.byFleet.set(entry.fleet.name, held.add(entry));
}

export function forgetTooOld(memory: Memory, since: number): void {
  for (const entry of memory.all) {
    if (entry.at >= since) return;
    forget(memory, entry);
  }
}

/** Rules version 1 forgets the oldest key of all; later versions forget the oldest of the fleet with the most keys. */
export function forgetTooMany(memory: Memory, entriesMax: number, rulesVersion: number): void {
  while (memory.all.size > entriesMax) {
    const among = rulesVersion >= 2 ? largest(memory) : memory.all;
    const [oldest] = among;
    if (oldest === undefined) return;
    forget(memory, oldest);
  }
}

function largest(memory: Memory): Set<Remembered> {
  let found = new Set<Remembered>();
  for (const held of memory.byFleet.values()) {
    if (held.size > found.size || (held.size === found.size && comesFirst(fleetOf(held), fleetOf(found)))) found = held;
  }
  return found;
}

function fleetOf([any]: Set<Remembered>): Fleet {
  if (any === undefined) throw new Error('a fleet that has nothing is in no list');
  return any.fleet;
}

function comesFirst(a: Fleet, b: Fleet): boolean {
  if (a.number !== null && b.number !== null) return a.number < b.number;
  if (a.number === null && b.number === null) return a.name < b.name;
  return a.number !== null;
}

function forget(memory: Memory, entry: Remembered): void {
  memory.all.delete(entry);
  const places = memory.byName.get(entry.name);
  places?.delete(entry.index);
  if (places?.size === 0) memory.byName.delete(entry.name);
  const held = memory.byFleet.get(entry.fleet.name);
  held?.delete(entry);
  if (held?.size === 0) memory.byFleet.delete(entry.fleet.name);
}
