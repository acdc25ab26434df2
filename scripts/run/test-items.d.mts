/** Specs that one process runs together. */
export interface TestItem {
  readonly files: readonly string[];
  /** Whether they start no programs, which have to be built by then. */
  readonly isUnit: boolean;
}

export function itemsOf(root: string): readonly TestItem[];
