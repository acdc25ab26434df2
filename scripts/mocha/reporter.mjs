import Mocha from 'mocha';
import { closingLine } from './closing-line.mjs';

/** Mocha's own report, closed by one line that a script can read: `N passed, N failed, N skipped`. */
class ClosingLineReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      process.stdout.write(`${passes} passed, ${failures} failed, ${pending} skipped\n`);
      closingLine.printed = true;
    });
  }
}

// Mocha loads a reporter by require(), which takes this export of a module for the module.
export { ClosingLineReporter as 'module.exports' };
