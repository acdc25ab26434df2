import type { ReadinessCheck } from '@paper/http';
import { AppendUnknown } from '@paper/journal';
import type { Journal } from '@paper/journal';
import type { ReadModels } from '@paper/read-models';
import type { Logger } from '@paper/runtime';

/** The reason why the database cannot store, for operators, and the time since when (ms since 1970 UTC). */
interface StorageProblem {
  readonly what: string;
  readonly sinceMs: number;
}

/** The cause of a problem: the disk is nearly full, the server has ended, or it refuses an append. */
type StorageCause = 'disk' | 'server' | 'append';

/** The minimum time between two log lines of the same problem. */
const QUIET_MS = 60_000;
/** Postgres's code for a full disk. */
const DISK_FULL = '53100';

/** Tracks whether the database can store commands now, and logs when that changes. */
export class StorageHealth {
  readonly #problems = new Map<StorageCause, StorageProblem>();
  readonly #loggedMs = new Map<string, number>();
  #isLogged = false;

  constructor(
    private readonly logger: Pick<Logger, 'error' | 'warn'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The oldest problem; null while everything can be stored. */
  get problem(): StorageProblem | null {
    const [first, ...others] = this.#problems.values();
    if (first === undefined) return null;
    return others.reduce((oldest, one) => (one.sinceMs < oldest.sinceMs ? one : oldest), first);
  }

  /** Sets the problem from a cause; null: none. A new problem is logged at once, and then once a minute. */
  report(cause: StorageCause, what: string | null, error?: Error): void {
    const before = this.#problems.get(cause);
    if (what === null) this.#problems.delete(cause);
    else if (before?.what !== what) this.#problems.set(cause, { what, sinceMs: before?.sinceMs ?? this.now() });
    this.#log(error);
  }

  /** The readiness of the database: it can store, and it answers. */
  readiness(readModels: Pick<ReadModels, 'seq'>): ReadinessCheck {
    const check = async (): Promise<void> => {
      if (this.problem !== null) throw new Error(describe(this.problem));
      await readModels.seq();
    };
    return { name: 'database', check };
  }

  observe(journal: Journal, what: string): Journal {
    const append = async (...sent: Parameters<Journal['append']>): Promise<void> => {
      try {
        await journal.append(...sent);
        this.report('append', null);
      } catch (error) {
        if (isOfDisk(error)) this.report('append', what);
        else if (!(error instanceof AppendUnknown)) this.report('append', null);
        throw error;
      }
    };
    return {
      append,
      close: () => journal.close(),
      follow: (fromSeq, options) => journal.follow(fromSeq, options),
      head: () => journal.head(),
      read: (fromSeq, limit) => journal.read(fromSeq, limit),
    };
  }

  #log(error?: Error): void {
    const { problem } = this;
    if (problem === null) {
      if (this.#isLogged) this.logger.warn('the database can store again');
      this.#isLogged = false;
      return;
    }
    const { what, sinceMs } = problem;
    const nowMs = this.now();
    if (nowMs - (this.#loggedMs.get(what) ?? -Infinity) < QUIET_MS) return;
    this.#loggedMs.set(what, nowMs);
    this.#isLogged = true;
    const reason = error === undefined || error.message === what ? {} : { reason: error.message };
    this.logger.error({ ...reason, since: new Date(sinceMs).toISOString() }, what);
  }
}

export function describe({ what, sinceMs }: StorageProblem): string {
  return `${what} (since ${new Date(sinceMs).toISOString()})`;
}

function isOfDisk(error: unknown): boolean {
  const { cause } = error as Error;
  return error instanceof AppendUnknown && cause instanceof Error && 'code' in cause && cause.code === DISK_FULL;
}
