import type { Locks } from '../../web/live/stream-turns.ts';

/** The Web Locks of a browser: by name, holders in the order of their requests. */
export class FakeLocks implements Locks {
  /** The requests of each name that have not ended; the first one holds the lock. */
  readonly #requests = new Map<string, symbol[]>();
  readonly #queues = new Map<string, Promise<unknown>>();

  /** The names that are held. */
  get held(): readonly string[] {
    return [...this.#requests].flatMap(([name, all]) => (all.length > 0 ? [name] : []));
  }

  request(
    name: string,
    options: { readonly signal: AbortSignal } | { readonly ifAvailable: true },
    hold: (lock: unknown) => Promise<unknown>,
  ): Promise<unknown> {
    const own = Symbol(name);
    const all = this.#requests.get(name) ?? [];
    this.#requests.set(name, all);
    const isImmediate = 'ifAvailable' in options;
    if (isImmediate && all.length > 0) return hold(null);
    all.push(own);
    const end = (): void => void all.splice(all.indexOf(own), all.includes(own) ? 1 : 0);
    const aborted = new Promise<never>((_resolve, reject) => {
      const abort = (): void => {
        if (all[0] === own) return;
        end();
        reject(new DOMException('aborted', 'AbortError'));
      };
      if (!isImmediate) options.signal.addEventListener('abort', abort);
    });
    const before = this.#queues.get(name) ?? Promise.resolve();
    const held = before.then(async () => {
      if (!all.includes(own)) return;
      await hold(own);
      end();
    });
    this.#queues.set(name, held);
    return Promise.race([held, aborted]);
  }

  query() {
    const entries = [...this.#requests].flatMap(([name, all]) => all.map((_own, index) => ({ name, index })));
    return Promise.resolve({
      held: entries.filter(({ index }) => index === 0),
      pending: entries.filter(({ index }) => index > 0),
    });
  }
}
