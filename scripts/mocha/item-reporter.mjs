import { ClosingLineReporter } from './reporter.mjs';

/** Omits the counts of an item's specs unless one fails, since the run ends with the counts of all. */
export class ItemReporter extends ClosingLineReporter {
  epilogue() {
    if (this.stats.failures > 0) super.epilogue();
  }
}
