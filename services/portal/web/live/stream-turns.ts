import type { Clock } from '@paper/timing';

/** The part of `navigator.locks` that is needed for turns. */
export interface Locks {
  request(
    name: string,
    options: { readonly signal: AbortSignal } | { readonly ifAvailable: true },
    hold: (lock: unknown) => Promise<unknown>,
  ): Promise<unknown>;
  query(): Promise<{ readonly held?: readonly LockOf[]; readonly pending?: readonly LockOf[] }>;
}

interface LockOf {
  readonly name?: string;
}

export interface StreamTurnsOptions {
  /**
   * The browser's locks. Null if the browser offers none (a page over plain HTTP from another machine): the tab then
   * never waits for another.
   */
  readonly locks: Locks | null;
  readonly timer: Pick<Clock, 'after'>;
  /** The tab may connect from now on. */
  readonly onBegin: () => void;
  /** The tab must disconnect. */
  readonly onEnd: () => void;
}

/**
 * The names of the streams. A browser opens six connections to a site over HTTP/1.1, for all of its tabs: two are left
 * for calls.
 */
const STREAMS = ['0', '1', '2', '3'].map((number) => `paper-live-${number}`);
/** The shortest turn of a tab while others wait for streams. */
const TURN_MS = 2_000;

/**
 * Limits the streams of a browser, by a Web Lock for each stream. Up to four tabs stream without a pause. If there are
 * more, each tab ends its turn after two seconds and waits for the next one. The lock of a closed or crashed tab is
 * released.
 */
export class StreamTurns {
  #stopping: AbortController | null = null;
  #endTurn = (): void => undefined;

  constructor(private readonly options: StreamTurnsOptions) {}

  /** Takes turns until `stop`. */
  start(): void {
    if (this.#stopping !== null) return;
    this.#stopping = new AbortController();
    void this.#takeTurns(this.#stopping.signal);
  }

  /** Ends the turn, or the wait for a turn. */
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

  /** Takes the first free stream. If none is free, waits for the one with the fewest waiting tabs. */
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

/** The lock that the fewest tabs hold or wait for. */
async function leastUsed(locks: Locks): Promise<string> {
  const { held, pending } = await locks.query();
  const names = [...namesOf(held), ...namesOf(pending)];
  const uses = (name: string): number => names.filter((other) => other === name).length;
  return STREAMS.reduce((least, name) => (uses(name) < uses(least) ? name : least));
}

function namesOf(locks: readonly LockOf[] | undefined): readonly string[] {
  return (locks ?? []).map(({ name = '' }) => name);
}
