import type { Kysely, Transaction } from 'kysely';

/** A transaction in several calls. (Kysely's `startTransaction` never releases its connection if a commit fails.) */
export class OpenTransaction<Tables> {
  private constructor(
    readonly trx: Transaction<Tables>,
    private readonly endWell: () => void,
    private readonly endBadly: (error: Error) => void,
    private readonly ended: () => Promise<void>,
  ) {}

  static begin<Tables>(db: Kysely<Tables>): Promise<OpenTransaction<Tables>> {
    return new Promise((resolve, reject) => {
      const ended = db
        .transaction()
        .execute(
          (trx) =>
            new Promise<void>((endWell, endBadly) => resolve(new OpenTransaction(trx, endWell, endBadly, () => ended))),
        );
      // The transaction never began. Later errors are reported to the caller that ends the transaction.
      ended.catch(reject);
    });
  }

  /** @throws errors of the database; whether the transaction is committed is then unknown. */
  commit(): Promise<void> {
    this.endWell();
    return this.ended();
  }

  /** Rolls back. Never fails: with a lost connection the server has rolled back, too. */
  async rollback(): Promise<void> {
    this.endBadly(new Error('rolled back'));
    await this.ended().catch(() => undefined);
  }
}
