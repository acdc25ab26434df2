import { channel } from 'node:diagnostics_channel';

const steps = channel('paper.start');

/** Says what the start waits for, to whoever shows it to a person (`scripts/run/progress.mjs`); null: it is over. */
export function showStep(step: string | null): void {
  steps.publish({ step });
}
