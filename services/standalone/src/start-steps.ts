import { channel } from 'node:diagnostics_channel';

const steps = channel('paper.start');

/** Reports the step that the start waits for, and its progress, to packages/kit/commands/src/progress.mjs. */
export function showStep(step: string | null, detail = ''): void {
  steps.publish({ step, detail });
}
