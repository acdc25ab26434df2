import type { Clock } from '@paper/timing';

/** The methods of `navigator.locks` (Web Locks) that are used here. */
export interface Locks {
  request(
    name: string,
    options: { readonly signal: AbortSignal } | { readonly ifAvailable: true },
    hold: (lock: unknown) => Promise<unknown>,
  ): Promise<unknown>;
  query(): Promise<{ readonly held?: readonly LockOf[]; readonly pending?: readonly LockOf[] }>;
}

type LockOf = Readonly<{ name?: string }>;

export interface StreamTurnsOptions {
  /** Null in a page without Web Locks (plain HTTP from another machine), which never waits for its turn. */
  readonly locks: Locks | null;
  readonly timer: Pick<Clock, 'after'>;
  readonly onBegin: () => void;
  readonly onEnd: () => void;
}

/** Over HTTP/1.1 a browser opens six connections to a site for all its tabs: these locks leave two for calls. */
const STREAMS = ['0', '1', '2', '3'].map((number) => `paper-live-${number}`);
/** The shortest turn of a tab while others wait for streams. */
const TURN_MS = 2_000;

/** Limits a browser to four live streams, one for each Web Lock. Further tabs take turns of two seconds. */
export class StreamTurns {
  #stopping: AbortController | null = null;
  #endTurn = (): void => undefined;

  constructor(private readonly options: StreamTurnsOptions) {}

  start(): void {
    if (this.#stopping !== null) return;
    this.#stopping = new AbortController();
    void this.#takeTurns(this.#stopping.signal);
  }

  stop(): void {
    this.#stopping?.abort();
    this.#stopping = null;
    this.#endTurn();
  }

  async #takeTurns(signal: AbortSignal): Promise<void> {
    const { locks } = this.options;
    while (!signal.aborted) {
      const turn = locks === null ? this.#turn(signal, never) : this.#lockedTurn(signal, locks);
      // An aborted request rejects. So does every request where the browser denies locks to the page.
      await turn.catch(() => this.#turn(signal, never));
    }
  }

  /** Takes the first free lock, else waits for the lock that the fewest tabs want. */
  async #lockedTurn(signal: AbortSignal, locks: Locks): Promise<void> {
    const turn = (name: string): Promise<void> =>
      this.#turn(signal, async () => {
        const { pending } = await locks.query();
        return namesOf(pending).includes(name);
      });
    for (const name of STREAMS) {
      const wasFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await turn(name);
        return lock !== null;
      });
      if (wasFree === true) return;
    }
    const name = await leastUsed(locks);
    await locks.request(name, { signal }, () => turn(name));
  }

  /** Runs a turn until `stop`, or until another tab waits. */
  async #turn(signal: AbortSignal, isAwaited: () => Promise<boolean>): Promise<void> {
    if (signal.aborted) return;
    const { onBegin, onEnd, timer } = this.options;
    onBegin();
    await new Promise<void>((resolve) => {
      let isOver = false;
      let cancelLook = (): void => undefined;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        cancelLook();
        onEnd();
        resolve();
      };
      const lookLater = (): void => {
        if (!isOver) cancelLook = timer.after(TURN_MS, () => void look());
      };
      const look = async (): Promise<void> => {
        if (await isAwaited().catch(() => false)) end();
        else lookLater();
      };
      this.#endTurn = end;
      lookLater();
    });
  }
}

const never = (): Promise<boolean> => Promise.resolve(false);

async function leastUsed(locks: Locks): Promise<string> {
  const { held, pending } = await locks.query();
  const names = [...namesOf(held), ...namesOf(pending)];
  const uses = (name: string): number => names.filter((other) => other === name).length;
  return STREAMS.reduce((least, name) => (uses(name) < uses(least) ? name : least));
}

function namesOf(locks: readonly LockOf[] | undefined): readonly string[] {
  return (locks ?? []).map(({ name = '' }) => name);
}
