import type { Actor, Command } from './commands.ts';
import type { Decision } from './decision.ts';
import { reject } from './decision.ts';
import { KeyRun, type RememberedKey } from './key-run.ts';
import type { IdempotencyTable } from './snapshot/tables.ts';

/** A link of the queue from oldest to newest. */
class Entry implements RememberedKey {
  newer: Entry | null = null;
  constructor(
    readonly scope: string,
    readonly fingerprint: string,
    readonly at: number,
    readonly seq: number,
  ) {}
}

/**
 * The Idempotency-Keys of the decisions that appended, for a window of event time and up to a number of newer ones.
 * Events feed and empty it, so it is the same after a restart or a rebuild. Leaving costs the same however many there
 * are: the oldest are those of a snapshot, in a run, and then the head of a linked queue.
 */
export class IdempotencyWindow {
  private restored = new KeyRun([]);
  private readonly entries = new Map<string, Entry>();
  private oldest: Entry | null = null;
  private newest: Entry | null = null;

  get size(): number {
    return this.restored.size + this.entries.size;
  }

  /** Begins with what a snapshot has. Only before anything else is remembered. */
  restore(tables: readonly IdempotencyTable[]): void {
    this.restored = new KeyRun(tables);
  }

  find(scope: string): RememberedKey | null {
    return this.entries.get(scope) ?? this.restored.find(scope);
  }

  remember(scope: string, fingerprint: string, at: number, seq: number): void {
    const entry = new Entry(scope, fingerprint, at, seq);
    this.entries.set(scope, entry);
    if (this.newest === null) {
      this.oldest = entry;
    } else {
      this.newest.newer = entry;
    }
    this.newest = entry;
  }

  /** What is remembered, oldest first. */
  *oldestFirst(): Generator<RememberedKey, void, undefined> {
    yield* this.restored.oldestFirst();
    for (let entry = this.oldest; entry !== null; entry = entry.newer) {
      yield entry;
    }
  }

  /** Forgets what is older than `windowMs` at `at`, and the oldest beyond `entriesMax`. */
  evict(at: number, windowMs: number, entriesMax: number): void {
    this.evictRestored(at - windowMs, entriesMax);
    while (this.oldest !== null && (this.oldest.at < at - windowMs || this.size > entriesMax)) {
      if (this.entries.get(this.oldest.scope) === this.oldest) {
        this.entries.delete(this.oldest.scope);
      }
      this.oldest = this.oldest.newer;
    }
    if (this.oldest === null) {
      this.newest = null;
    }
  }

  private evictRestored(since: number, entriesMax: number): void {
    if (this.restored.size === 0) {
      return;
    }
    while (this.restored.oldestAt < since || (this.restored.size > 0 && this.size > entriesMax)) {
      this.restored.forgetOldest();
    }
    if (this.restored.size === 0) {
      this.restored = new KeyRun([]);
    }
  }
}

/** A key counts for one account, or for one operator. */
export function scopeOf(by: Actor, key: string): string {
  return `${by.kind === 'key' ? by.accountId : by.kind === 'operator' ? `operator:${by.name}` : 'system'}\n${key}`;
}

/** The answer to a command whose Idempotency-Key is remembered; null when it is to be decided. */
export function replayOf(window: IdempotencyWindow, command: Command): Decision | null {
  if (command.idempotency === null) {
    return null;
  }
  const known = window.find(scopeOf(command.by, command.idempotency.key));
  if (known === null) {
    return null;
  }
  return known.fingerprint === command.idempotency.fingerprint
    ? { kind: 'replayed', seq: known.seq }
    : reject('idempotency_conflict', 'This Idempotency-Key was used with another request; take a new key.');
}
