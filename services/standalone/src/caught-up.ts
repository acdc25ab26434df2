import type { Journal } from '@paper/journal';
import type { ProjectorService } from '@paper/projector';
import type { Logger } from '@paper/runtime';

/**
 * Waits until the read models contain all of the present journal. After an update that changed them they are refilled
 * from the beginning, which takes some seconds for each 100,000 events and is logged once a second. Returns early when
 * `stopped`.
 * @throws Error when the projector has failed for good.
 */
export async function caughtUp(
  journal: Pick<Journal, 'head'>,
  projector: Pick<ProjectorService, 'progress' | 'status'>,
  logger: Logger,
  stopped: () => boolean,
  pauseMs = 1_000,
): Promise<void> {
  const { seq: target } = await journal.head();
  while (!stopped() && !(await projector.progress.reached(target, pauseMs))) {
    const { state, checkpoint, error } = projector.status();
    if (state === 'failed') throw new Error(`the read models cannot be filled: ${error ?? 'unknown'}`);
    if (state !== 'diverged') logger.info({ seq: checkpoint.seq, target }, 'the read models are being filled');
  }
}
