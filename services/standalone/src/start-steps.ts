import { channel } from 'node:diagnostics_channel';

const steps = channel('paper.start');

/**
 * Reports the step that the start waits for, to the parent process that shows it (`packages/kit/commands/src/progress.mjs`); null:
 * done.
 */
export function showStep(step: string | null): void {
  steps.publish({ step });
}
