import type { LedgerEntryBody } from '@paper/contracts/journal';

/** A page of a ledger, oldest entry first. */
export interface LedgerPage {
  readonly body: readonly LedgerEntryBody[];
  /** The path of the next page; null: there is none yet. */
  readonly next: string | null;
}

/** Reads a ledger page by page from its beginning, and later only what was added. */
export class LedgerTail {
  readonly entries: LedgerEntryBody[] = [];
  #path: string;
  /** How many entries of the page at `#path` were taken. */
  #taken = 0;

  constructor(firstPath: string) {
    this.#path = firstPath;
  }

  /**
   * Reads to the end of the ledger.
   *
   * @returns false where it stopped after `pagesMax` pages and there are more
   */
  async readOn(read: (path: string) => Promise<LedgerPage>, pagesMax: number): Promise<boolean> {
    for (let pages = 0; pages < pagesMax; pages += 1) {
      const { body, next } = await read(this.#path);
      this.entries.push(...body.slice(this.#taken));
      this.#taken = body.length;
      if (next === null) return true;
      this.#path = next;
      this.#taken = 0;
    }
    return false;
  }
}
