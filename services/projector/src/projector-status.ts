import type { Checkpoint } from '@paper/read-models';

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

  get(): ProjectorStatus {
    return this.#status;
  }

  change(changes: Partial<ProjectorStatus>): void {
    this.#status = { ...this.#status, ...changes };
  }
}
