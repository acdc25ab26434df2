import type { Kysely, Transaction } from 'kysely';

/**
 * A transaction whose statements come one after the other from outside. (That of Kysely's `startTransaction` keeps its
 * connection for ever where a commit fails.)
 */
export class OpenTransaction<Tables> {
  private constructor(
    readonly trx: Transaction<Tables>,
    private readonly end: (rolledBack: Error | null) => void,
    private readonly ended: () => Promise<void>,
  ) {}

  static begin<Tables>(db: Kysely<Tables>): Promise<OpenTransaction<Tables>> {
    return new Promise((resolve, reject) => {
      const ended = db.transaction().execute(
        (trx) =>
          new Promise<void>((commit, rollback) => {
            const end = (rolledBack: Error | null): void => {
              if (rolledBack === null) commit();
              else rollback(rolledBack);
            };
            resolve(new OpenTransaction(trx, end, () => ended));
          }),
      );
      // Where it never began. How it ends is for who ends it.
      ended.catch(reject);
    });
  }

  /** @throws errors of the database; whether it is committed is not known then. */
  commit(): Promise<void> {
    this.end(null);
    return this.ended();
  }

  /** Never fails: a connection that is lost has rolled back, too. */
  async rollback(): Promise<void> {
    this.end(new Error('rolled back'));
    await this.ended().catch(() => undefined);
  }
}
