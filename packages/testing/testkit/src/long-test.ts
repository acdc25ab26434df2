/** Whether long tests run: LONG_TESTS=1. */
export const IS_LONG_RUN = process.env['LONG_TESTS'] === '1';

/** Whether this is a run of CI (CI=1, as `.ci/run` sets it) or a long one. */
const IS_CI_RUN = IS_LONG_RUN || (process.env['CI'] ?? '') !== '';

/** Skips the test, by name, unless CI=1: for tests that vary one thing of a case which every run has. */
export function ciTest(context: Mocha.Context): void {
  if (!IS_CI_RUN) context.skip();
}

/**
 * Skips the test, by name, unless LONG_TESTS=1: for long tests whose kind a quicker one covers. `.ci/full` sets it;
 * `.ci/run` does not, since it has ten minutes.
 */
export function longTest(context: Mocha.Context): void {
  if (!IS_LONG_RUN) context.skip();
}

/** Leaves out a whole suite, by name, unless LONG_TESTS=1. Its function calls this first, and returns where it is true. */
export function isLongSuiteLeftOut(): boolean {
  if (IS_LONG_RUN) return false;
  // A test without a function is pending.
  it('takes long: it runs with LONG_TESTS=1');
  return true;
}
