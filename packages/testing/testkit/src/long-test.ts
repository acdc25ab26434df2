/** Whether long tests run: LONG_TESTS=1. */
export const IS_LONG_RUN = process.env['LONG_TESTS'] === '1';

/** Whether the tests run in CI (CI=1, as `.ci/run` sets it) or as a long run. */
const IS_CI_RUN = IS_LONG_RUN || (process.env['CI'] ?? '') !== '';

/** Skips the test, by name, unless CI=1. Such tests vary one thing of a case that every run tests. */
export function ciTest(context: Mocha.Context): void {
  if (!IS_CI_RUN) context.skip();
}

/** Skips a test, by name, unless LONG_TESTS=1 (`.ci/full`): it is slow, and a quicker one covers its kind of case. */
export function longTest(context: Mocha.Context): void {
  if (!IS_LONG_RUN) context.skip();
}

/** Reports a suite as skipped, by name, unless LONG_TESTS=1. If true, the suite's function must return at once. */
export function isLongSuiteLeftOut(): boolean {
  if (IS_LONG_RUN) return false;
  // A test without a function is reported as pending.
  it('takes long: it runs with LONG_TESTS=1');
  return true;
}
