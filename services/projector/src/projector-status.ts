import type { Checkpoint } from '@paper/read-models';

/**
 * stopped → starting → running ⇄ retrying → stopped; from running or retrying → failed, which is final:
 * what it threw means that somebody has to look. Where a lease elects one of several: starting → standby → running, and
 * back to standby when another has taken it.
 */
export type ProjectorState = 'stopped' | 'starting' | 'standby' | 'running' | 'retrying' | 'failed';

export interface ProjectorStatus {
  readonly name: 'main';
  readonly state: ProjectorState;
  /** The schema that is projected into; null before the first. */
  readonly schema: string | null;
  readonly checkpoint: Checkpoint;
  /** Why it retries or has failed. */
  readonly error: string | null;
}
