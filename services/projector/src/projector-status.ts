import type { Checkpoint, FillProgress } from '@paper/read-models';

/**
 * - stopped → starting → running ⇄ retrying → stopped
 * - starting → filling → running: the read models are filled first, where there are none yet.
 * - running or retrying → failed: for good, since its error needs an operator.
 * - running ⇄ diverged: the journal is not that of the read models, until a rebuild has replaced them.
 * - starting → standby → running → standby: another projector has the lease.
 */
export type ProjectorState =
  | 'stopped'
  | 'starting'
  | 'standby'
  | 'filling'
  | 'running'
  | 'retrying'
  | 'diverged'
  | 'failed';

export interface ProjectorStatus {
  readonly name: 'main';
  readonly state: ProjectorState;
  /** The schema that is projected into; null before the first start. */
  readonly schema: string | null;
  readonly checkpoint: Checkpoint;
  /** The progress of the fill in the state `filling`; else null. */
  readonly fill: FillProgress | null;
  /** The reason for the states retrying, diverged and failed; else null. */
  readonly error: string | null;
}

export class CurrentStatus {
  #status: ProjectorStatus = {
    name: 'main',
    state: 'stopped',
    schema: null,
    checkpoint: { seq: 0, hash: '0'.repeat(64), atMs: 0 },
    fill: null,
    error: null,
  };

  get(): ProjectorStatus {
    return this.#status;
  }

  /** Changes some of the fields. The fill ends with every change that does not report it. */
  change(changes: Partial<ProjectorStatus>): void {
    this.#status = { ...this.#status, fill: null, ...changes };
  }
}
