/** The progress that the reporter sets and the runner reads. `stats`: mocha's own; null before mocha has begun. */
export const progress = { ended: false, onEnd: () => undefined, stats: null };

/** The last line of a run; a run that did not finish counts as failed. Empty if there was nothing to run. */
export function closingLine({ ended, stats }, exitCode) {
  if (!ended && exitCode === 0) return '';
  const { passes, failures, pending } = stats ?? { passes: 0, failures: 0, pending: 0 };
  const failed = ended ? failures : Math.max(1, failures);
  return `${ended ? '' : '\n'}${passes} passed, ${failed} failed, ${pending} skipped\n`;
}
