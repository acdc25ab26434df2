import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';
import type { Receipt } from './receipt.ts';
import type { SignedHead } from './signed-head.ts';

interface Tables extends DBSchema {
  receipts: { key: [accountId: string, seq: number]; value: Receipt };
  heads: { key: [publicKey: string, seq: number]; value: SignedHead };
}

/** This browser's receipts and signed heads, in IndexedDB. They stay when the session ends. */
export class ReceiptStore {
  private constructor(private readonly db: IDBPDatabase<Tables>) {}

  /** Rejects if the browser has no IndexedDB, or refuses access. */
  static async open(): Promise<ReceiptStore> {
    const db = await openDB<Tables>('paper-trading-receipts', 1, {
      upgrade(created) {
        created.createObjectStore('receipts', { keyPath: ['accountId', 'seq'] });
        created.createObjectStore('heads', { keyPath: ['publicKey', 'seq'] });
      },
      // Another tab with a newer version of the page must be able to change the tables.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    });
    return new ReceiptStore(db);
  }

  /** Adds receipts. A receipt with another hash than the stored one of its event is `conflicting`, and not stored. */
  async add(receipts: readonly Receipt[]) {
    const transaction = this.db.transaction('receipts', 'readwrite', { durability: 'strict' });
    const conflicting: Receipt[] = [];
    let known = 0;
    for (const receipt of receipts) {
      const present = await transaction.store.get([receipt.accountId, receipt.seq]);
      if (present === undefined) await transaction.store.add(receipt);
      else if (present.hash === receipt.hash) known += 1;
      else conflicting.push(receipt);
    }
    await transaction.done;
    return { added: receipts.length - known - conflicting.length, known, conflicting };
  }

  /** Newest first. */
  async list(accountId: string): Promise<readonly Receipt[]> {
    const receipts = await this.db.getAll('receipts', IDBKeyRange.bound([accountId, 0], [accountId, Infinity]));
    return receipts.reverse();
  }

  async clear(accountId: string): Promise<void> {
    await this.db.delete('receipts', IDBKeyRange.bound([accountId, 0], [accountId, Infinity]));
  }

  /** The caller has checked its signature. */
  async addHead(head: SignedHead): Promise<void> {
    await this.db.put('heads', head);
  }

  async deleteHead({ publicKey, seq }: SignedHead): Promise<void> {
    await this.db.delete('heads', [publicKey, seq]);
  }

  async heads(): Promise<readonly SignedHead[]> {
    return (await this.db.getAll('heads')).sort((a, b) => b.seq - a.seq);
  }

  close(): void {
    this.db.close();
  }
}
