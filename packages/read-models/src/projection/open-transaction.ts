import type { Kysely, Transaction } from 'kysely';

/**
 * A transaction whose statements come one after the other from outside. (That of Kysely's `startTransaction` keeps its
 * connection for ever where a commit fails.)
 */
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
      // It never began. Errors of its end belong to the caller that ends it.
      ended.catch(reject);
    });
  }

  /** @throws errors of the database; whether it is committed is not known then. */
  commit(): Promise<void> {
    this.endWell();
    return this.ended();
  }

  /** Never fails: a connection that is lost has rolled back, too. */
  async rollback(): Promise<void> {
    this.endBadly(new Error('rolled back'));
    await this.ended().catch(() => undefined);
  }
}
