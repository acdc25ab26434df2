import Mocha from 'mocha';
import { progress } from './closing-line.mjs';

/** Mocha's own reporter, which also records the counts for the runner's closing line. */
export class ClosingLineReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    progress.stats = this.stats;
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      progress.ended = true;
      progress.onEnd();
    });
  }
}

// Mocha loads a reporter by require(), which returns the export of this name.
export { ClosingLineReporter as 'module.exports' };
