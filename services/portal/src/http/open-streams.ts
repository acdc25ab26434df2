import type { Metrics } from '@paper/runtime';
import type { Sessions } from '../identity/sessions.ts';

/** The open streams of sessions. A stream is cut within five seconds after its session has ended. */
export class OpenStreams {
  readonly #bySession = new Map<string, Set<() => void>>();

  constructor(
    private readonly sessions: Pick<Sessions, 'alive'>,
    metrics: Metrics,
  ) {
    metrics.gauge('portal_streams', 'Open streams of people', {
      collect: (gauge) => gauge.set([...this.#bySession.values()].reduce((sum, cuts) => sum + cuts.size, 0)),
    });
  }

  /** Registers a stream with a function that cuts it. Returns a function to call when the stream has ended. */
  add(sessionId: string, cut: () => void): () => void {
    const cuts = this.#bySession.get(sessionId) ?? new Set();
    this.#bySession.set(sessionId, cuts.add(cut));
    return () => {
      cuts.delete(cut);
      if (cuts.size === 0) this.#bySession.delete(sessionId);
    };
  }

  async cutEnded(): Promise<void> {
    const watched = [...this.#bySession.keys()];
    if (watched.length === 0) return;
    const alive = await this.sessions.alive(watched);
    for (const id of watched) {
      if (!alive.has(id)) for (const cut of this.#bySession.get(id) ?? []) cut();
    }
  }
}
