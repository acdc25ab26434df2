import { ClosingLineReporter } from './reporter.mjs';

/** Omits the counts of its specs where none fails, since the run ends with the counts of all. */
export class ItemReporter extends ClosingLineReporter {
  epilogue() {
    if (this.stats.failures > 0) super.epilogue();
  }
}
