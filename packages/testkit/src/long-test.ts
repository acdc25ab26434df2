/**
 * Skips the test, by name, unless LONG_TESTS=1: for a test that takes long and whose kind a quicker one covers. `.ci/full`
 * sets it, `.ci/run` has ten minutes.
 */
export function longTest(context: Mocha.Context): void {
  if (process.env['LONG_TESTS'] !== '1') context.skip();
}
