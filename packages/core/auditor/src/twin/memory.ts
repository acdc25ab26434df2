/** The twin's memory of Idempotency-Keys: plain collections, oldest first. */
export interface Memory {
  readonly all: Set<Remembered>;
  /** The keys of single commands, by actor and key. */
  readonly ofSingles: Map<string, Remembered>;
  /** The keys of batches, by actor and key, then by the index in the batch. */
  readonly ofBatches: Map<string, Map<number, Remembered>>;
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

export const createMemory = (): Memory => ({
  all: new Set(),
  ofSingles: new Map(),
  ofBatches: new Map(),
  byFleet: new Map(),
});

/** Joins scope and key. The length keeps `a b` with `c` apart from `a` with `b c`. */
export const scopedName = (scope: string, key: string): string => `${scope.length} ${scope} ${key}`;

/** The same key at the same index; 'other form' if a single command used a batch's key, or the reverse. */
export function findRememberedKey(
  memory: Memory,
  name: string,
  index: number | null,
): Remembered | 'other form' | null {
  const single = memory.ofSingles.get(name);
  const batch = memory.ofBatches.get(name);
  if (index === null) return single ?? (batch === undefined ? null : 'other form');
  return batch?.get(index) ?? (single === undefined ? null : 'other form');
}

export function remember(memory: Memory, entry: Remembered): void {
  const { index, name } = entry;
  const before = index === null ? memory.ofSingles.get(name) : memory.ofBatches.get(name)?.get(index);
  if (before !== undefined) forget(memory, before);
  memory.all.add(entry);
  if (index === null) {
    memory.ofSingles.set(name, entry);
  } else {
    const batch = memory.ofBatches.get(name) ?? new Map<number, Remembered>();
    memory.ofBatches.set(name, batch.set(index, entry));
  }
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
  const { index, name } = entry;
  memory.all.delete(entry);
  if (index === null) {
    memory.ofSingles.delete(name);
  } else {
    const batch = memory.ofBatches.get(name);
    batch?.delete(index);
    if (batch?.size === 0) memory.ofBatches.delete(name);
  }
  const held = memory.byFleet.get(entry.fleet.name);
  held?.delete(entry);
  if (held?.size === 0) memory.byFleet.delete(entry.fleet.name);
}
