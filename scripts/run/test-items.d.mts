/** Specs that one process runs together. */
export interface TestItem {
  readonly files: readonly string[];
  /** Whether they start no programs, which have to be built by then. */
  readonly isUnit: boolean;
}

/** Suites that only CI runs (CI=1). */
export const LEFT_TO_CI: ReadonlySet<string>;

/** Suites that only `.ci/full` runs (LONG_TESTS=1). */
export const LEFT_TO_FULL: ReadonlySet<string>;

export function itemsOf(root: string): readonly TestItem[];

/** Whether a long run (LONG_TESTS=1) has tests of the item that `.ci/run` leaves out. */
export function isLong(root: string, item: TestItem): boolean;
