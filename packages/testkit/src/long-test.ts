/**
 * Skips the test, by name, unless LONG_TESTS=1: for long tests whose kind a quicker one covers. `.ci/full` sets it;
 * `.ci/run` does not, since it has ten minutes.
 */
export function longTest(context: Mocha.Context): void {
  if (process.env['LONG_TESTS'] !== '1') context.skip();
}
