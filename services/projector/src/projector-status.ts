import type { Checkpoint } from '@paper/read-models';

/**
 * stopped → starting → running ⇄ retrying → stopped; from running or retrying → failed, which is final:
 * what it threw means that somebody has to look. running ⇄ diverged: the journal was replaced by one that the read models
 * are not a fold of; it goes on by itself when a rebuild has taken over. Where a lease elects one of several: starting → standby → running, and
 * back to standby when another has taken it.
 */
export type ProjectorState = 'stopped' | 'starting' | 'standby' | 'running' | 'retrying' | 'diverged' | 'failed';

export interface ProjectorStatus {
  readonly name: 'main';
  readonly state: ProjectorState;
  /** The schema that is projected into; null before the first. */
  readonly schema: string | null;
  readonly checkpoint: Checkpoint;
  /** Why it retries, waits for a rebuild, or has failed. */
  readonly error: string | null;
}
