import type { Journal } from '@paper/journal';
import type { ProjectorService } from '@paper/projector';
import { describeFill } from '@paper/read-models';
import { StartRefused } from '@paper/runtime';
import type { Logger } from '@paper/runtime';

/**
 * Waits until the read models contain the whole present journal, or until `stopped`. Logs the progress once a second.
 * Throws StartRefused when the projector has failed for good.
 */
export async function waitUntilCaughtUp(
  journal: Pick<Journal, 'head'>,
  projector: Pick<ProjectorService, 'progress' | 'status'>,
  logger: Logger,
  stopped: () => boolean,
  onFill: (progress: string) => void,
  pauseMs = 1_000,
): Promise<void> {
  const { seq: target } = await journal.head();
  while (!stopped() && !(await projector.progress.reached(target, pauseMs))) {
    const { state, checkpoint, error, fill } = projector.status();
    if (state === 'failed') throw new StartRefused(`the read models cannot be filled: ${error ?? 'unknown'}`);
    if (fill !== null) onFill(describeFill(fill));
    if (state !== 'diverged') logger.info({ seq: checkpoint.seq, target }, 'the read models are being filled');
  }
}
