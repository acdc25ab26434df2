import { ClosingLineReporter } from './reporter.mjs';

/** Without the counts of its specs where none fails, since the run ends with those of all. */
export class ItemReporter extends ClosingLineReporter {
  epilogue() {
    if (this.stats.failures > 0) super.epilogue();
  }
}
