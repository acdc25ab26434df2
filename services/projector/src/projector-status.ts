import type { Checkpoint } from '@paper/read-models';
import type { ReadinessCheck } from '@paper/service-kit';

/**
 * stopped → starting → running ⇄ retrying → stopped.
 *
 * running or retrying → failed: final, since its error needs an operator.
 *
 * running ⇄ diverged: the journal is not the one that the read models are a fold of. It goes on by itself once a
 * rebuild has replaced them.
 *
 * With a lease: starting → standby → running, and back to standby when another projector has taken the lease.
 */
export type ProjectorState = 'stopped' | 'starting' | 'standby' | 'running' | 'retrying' | 'diverged' | 'failed';

export interface ProjectorStatus {
  readonly name: 'main';
  readonly state: ProjectorState;
  /** The schema that is projected into; null before the first start. */
  readonly schema: string | null;
  readonly checkpoint: Checkpoint;
  /** The reason for retrying, diverged or failed; else null. */
  readonly error: string | null;
}

/** The status of a projector as it changes. */
export class CurrentStatus {
  #status: ProjectorStatus = {
    name: 'main',
    state: 'stopped',
    schema: null,
    checkpoint: { seq: 0, hash: '0'.repeat(64), atMs: 0 },
    error: null,
  };

  /** @param onChange called after each change. */
  constructor(private readonly onChange: () => void = () => undefined) {}

  get(): ProjectorStatus {
    return this.#status;
  }

  change(changes: Partial<ProjectorStatus>): void {
    this.#status = { ...this.#status, ...changes };
    this.onChange();
  }
}

/** The readiness check, which fails while the projector neither runs nor stands by. */
export function projectorReadiness(status: CurrentStatus): ReadinessCheck {
  return {
    name: 'projector',
    check() {
      const { state, error } = status.get();
      if (state === 'running' || state === 'standby') return Promise.resolve();
      return Promise.reject(new Error(`projector ${state}${error === null ? '' : `: ${error}`}`));
    },
  };
}
