import type { Actor, Command, CommandType, Idempotency } from '../commands.ts';
import { reject } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { FleetShares } from './fleet-shares.ts';
import type { Fleet } from './fleet-shares.ts';
import { PackedKeys } from './packed-keys.ts';
import type { RememberedKey } from './packed-keys.ts';
import type { IdempotencyTable } from './packed.ts';

/** An entry in two queues, each from oldest to newest: the queue of all entries, and its fleet's queue. */
class Entry implements RememberedKey {
  older: Entry | null = null;
  newer: Entry | null = null;
  newerOfFleet: Entry | null = null;
  /** True once the entry has left the queue of all entries. Its fleet's queue may still contain it. */
  gone = false;
  constructor(
    readonly fleet: Fleet<Entry>,
    readonly scope: string,
    readonly index: number | null,
    readonly fingerprint: string,
    readonly at: number,
    readonly seq: number,
  ) {}
}

/** The name and the index of the Fleet to which an Idempotency-Key belongs. */
export interface FleetName {
  readonly name: string;
  readonly index: number;
}

/** A client's Idempotency-Key: `scope` names client and key, `index` the item in a batch (null: a single command). */
export interface KeyName {
  readonly scope: string;
  readonly index: number | null;
}

/**
 * The Idempotency-Keys of decisions that appended events, for a window of event time and up to a total number. Only
 * events add and evict keys, so a restart or a rebuild gives the same ones. Beyond that number, rules version 1 evicts
 * the oldest key of all, version 2 the oldest of the fleet with the most keys. An eviction costs at most the logarithm
 * of the number of fleets, since the keys of a snapshot are always older than the entries added since.
 */
export class IdempotencyWindow {
  #restored = new PackedKeys([]);
  readonly #shares = new FleetShares<Entry>();
  readonly #singles = new Map<string, Entry>();
  readonly #batches = new Map<string, Map<number, Entry>>();
  /** The fleets of the snapshot's rows, by their number in the snapshot. */
  #restoredFleets: readonly Fleet<Entry>[] = [];
  #linked = 0;
  #oldest: Entry | null = null;
  #newest: Entry | null = null;

  get size(): number {
    return this.#restored.size + this.#linked;
  }

  /** Loads the keys of a snapshot; `nameOf` names the fleet of a row. Must be called before any other key is stored. */
  restore(tables: readonly IdempotencyTable[], nameOf: (fleet: number, scope: string) => FleetName): void {
    this.#restored = new PackedKeys(tables);
    this.#restoredFleets = this.#restored.groupByFleet((number, scope) => {
      const { name, index } = nameOf(number, scope);
      return this.#shares.getOrCreate(name, index);
    });
    for (const fleet of new Set(this.#restoredFleets)) this.#shares.change(fleet, fleet.endRow - fleet.nextRow);
  }

  find({ scope, index }: KeyName): RememberedKey | null {
    const entry = index === null ? this.#singles.get(scope) : this.#batches.get(scope)?.get(index);
    return entry ?? this.#restored.find(scope, index);
  }

  /** Whether the key was already used in the other form: by a batch for a single command, or the reverse. */
  usedOtherwise({ scope, index }: KeyName): boolean {
    const other = index === null ? this.#batches.has(scope) : this.#singles.has(scope);
    return other || this.#restored.usedOtherwise(scope, index);
  }

  remember(by: FleetName, key: KeyName, fingerprint: string, at: number, seq: number): void {
    this.#forget(key);
    const { scope, index } = key;
    const fleet = this.#shares.getOrCreate(by.name, by.index);
    const entry = new Entry(fleet, scope, index, fingerprint, at, seq);
    if (index === null) {
      this.#singles.set(scope, entry);
    } else {
      const items = this.#batches.get(scope) ?? new Map<number, Entry>();
      this.#batches.set(scope, items.set(index, entry));
    }
    entry.older = this.#newest;
    if (this.#newest === null) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
    if (fleet.newest === null) fleet.oldest = entry;
    else fleet.newest.newerOfFleet = entry;
    fleet.newest = entry;
    this.#linked += 1;
    this.#shares.change(fleet, 1);
  }

  *oldestFirst(): Generator<RememberedKey & { readonly fleet: number }, void, undefined> {
    for (const [row, key] of this.#restored.oldestFirst()) {
      yield { ...key, fleet: fleetNumber(this.#restoredFleets[this.#restored.groupOf(row)]) };
    }
    for (let entry = this.#oldest; entry !== null; entry = entry.newer) {
      const { at, fingerprint, index, scope, seq } = entry;
      yield { at, fingerprint, fleet: fleetNumber(entry.fleet), index, scope, seq };
    }
  }

  /** Removes entries older than `windowMs`; beyond `entriesMax` the oldest, of the largest fleet if `isFair`. */
  evict(at: number, windowMs: number, entriesMax: number, isFair: boolean): void {
    while (this.#oldestAt < at - windowMs) this.#forgetOldest();
    while (this.size > entriesMax) {
      const fleet = isFair ? this.#shares.largest : null;
      if (fleet === null) this.#forgetOldest();
      else this.#forgetOldestOf(fleet);
    }
    if (this.#restored.size === 0 && this.#restoredFleets.length > 0) {
      for (const fleet of this.#restoredFleets) fleet.nextRow = fleet.endRow;
      this.#restored = new PackedKeys([]);
      this.#restoredFleets = [];
    }
  }

  get #oldestAt(): number {
    return this.#restored.size > 0 ? this.#restored.oldestAt : (this.#oldest?.at ?? Infinity);
  }

  #forgetOldest(): void {
    if (this.#restored.size > 0) this.#forgetRow(this.#restored.oldestRow);
    else if (this.#oldest !== null) this.#forgetEntry(this.#oldest);
  }

  #forgetOldestOf(fleet: Fleet<Entry>): void {
    for (; fleet.nextRow < fleet.endRow; fleet.nextRow += 1) {
      const row = this.#restored.rowAt(fleet.nextRow);
      if (!this.#restored.isGone(row)) {
        this.#forgetRow(row);
        return;
      }
    }
    dropGone(fleet);
    if (fleet.oldest !== null) this.#forgetEntry(fleet.oldest);
  }

  #forget({ scope, index }: KeyName): void {
    const entry = index === null ? this.#singles.get(scope) : this.#batches.get(scope)?.get(index);
    if (entry !== undefined) this.#forgetEntry(entry);
    const row = this.#restored.rowOf(scope, index);
    if (row !== null) this.#forgetRow(row);
  }

  #forgetRow(row: number): void {
    const fleet = this.#restoredFleets[this.#restored.groupOf(row)];
    this.#restored.forget(row);
    if (fleet !== undefined) this.#shares.change(fleet, -1);
  }

  #forgetEntry(entry: Entry): void {
    const { older, newer, scope, index, fleet } = entry;
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    entry.gone = true;
    this.#linked -= 1;
    if (index === null) {
      this.#singles.delete(scope);
    } else {
      const items = this.#batches.get(scope);
      items?.delete(index);
      if (items?.size === 0) this.#batches.delete(scope);
    }
    dropGone(fleet);
    this.#shares.change(fleet, -1);
  }
}

/** Removes forgotten keys from the beginning of a fleet's queue. */
function dropGone(fleet: Fleet<Entry>): void {
  while (fleet.oldest?.gone === true) fleet.oldest = fleet.oldest.newerOfFleet;
  if (fleet.oldest === null) fleet.newest = null;
}

/** The number of a fleet in a snapshot: its index, or −1 where the scope identifies it. */
function fleetNumber(fleet: Fleet<Entry> | undefined): number {
  return fleet === undefined || fleet.index === Infinity ? -1 : fleet.index;
}

/** Builds the name of a key. A key belongs to one account (`prefix`: its `keyScope`), or to one operator. */
export function keyNameOf(by: Actor, key: string, index: number | undefined, prefix = `${callerOf(by)}\n`): KeyName {
  return { index: index ?? null, scope: prefix + key };
}

/** Identifies the caller: an account's id, or a text that cannot be an account's id. */
export function callerOf(by: Actor): string {
  return by.kind === 'key' ? by.accountId : by.kind === 'operator' ? `operator:${by.name}` : 'system';
}

/** Commands that are carried out at each repeat with the same key: their key is neither looked up nor stored. */
const NOT_REMEMBERED: ReadonlySet<CommandType> = new Set<CommandType>([
  'CancelOrders',
  'SetDeadManSwitch',
  'SetMandate',
]);

/** The Idempotency-Key under which a command is stored; null when it is not stored. */
export function rememberedKeyOf(command: Command): Idempotency | null {
  const { idempotency } = command;
  return idempotency === null || NOT_REMEMBERED.has(command.type) ? null : idempotency;
}

/** The answer to a command whose Idempotency-Key is stored; null when the command must be decided. */
export function replayOf(window: IdempotencyWindow, command: Command): Decision | null {
  if (command.idempotency === null) return null;
  const { fingerprint, index, key } = command.idempotency;
  const name = keyNameOf(command.by, key, index);
  const remembered = window.find(name);
  if (remembered !== null) {
    return remembered.fingerprint === fingerprint ? { kind: 'replayed', seq: remembered.seq } : IDEMPOTENCY_CONFLICT;
  }
  return window.usedOtherwise(name) ? IDEMPOTENCY_CONFLICT : null;
}

export const IDEMPOTENCY_CONFLICT = reject(
  'idempotency_conflict',
  'This Idempotency-Key was used with another request; take a new key.',
);
