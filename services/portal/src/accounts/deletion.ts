import { randomUUID } from 'node:crypto';
import { ApiError } from '@paper/contracts';
import type { Logger } from '@paper/runtime';
import type { Selectable } from 'kysely';
import { NOW } from '../base/database-time.ts';
import type { PortalDatabase } from '../base/database.ts';
import { JOBS_EVERY_MS, Repeated } from '../base/repeated.ts';
import type { PortalTables } from '../base/schema.ts';
import { bodyOf } from '../keys/api.ts';
import type { Apis } from '../keys/api.ts';

type Job = Pick<Selectable<PortalTables['deletion_jobs']>, 'id' | 'person_id' | 'account_id' | 'step'>;
type Step = Job['step'];

/**
 * Deletes people: closing (the account) -> forgetting (its names) -> erasing (rows) -> done. Each step may run twice.
 */
export class Deletions {
  readonly #rounds: Repeated;

  constructor(
    private readonly db: PortalDatabase,
    private readonly apis: Apis,
    private readonly logger: Logger,
  ) {
    this.#rounds = new Repeated('read deletions', JOBS_EVERY_MS, (stopping) => this.#continue(stopping), logger);
  }

  /** Orders the deletion; the person's sessions end. Returns the present step; null if no person has this id. */
  async order(personId: string): Promise<Step | null> {
    const step = await this.db.transaction().execute(async (transaction) => {
      const person = await transaction
        .updateTable('people')
        .set({ state: 'leaving' })
        .where('id', '=', personId)
        .returning('account_id')
        .executeTakeFirst();
      if (person === undefined) return null;
      await transaction.deleteFrom('sessions').where('person_id', '=', personId).execute();
      await transaction.deleteFrom('email_tokens').where('person_id', '=', personId).execute();
      const job = await transaction
        .insertInto('deletion_jobs')
        .values({
          id: randomUUID(),
          person_id: personId,
          account_id: person.account_id,
          step: 'closing',
          finished_at: null,
        })
        .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ person_id: personId }))
        .returning('step')
        .executeTakeFirstOrThrow();
      return job.step;
    });
    this.#rounds.wake();
    return step;
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #continue(stopping: AbortSignal): Promise<void> {
    const open = this.db.selectFrom('deletion_jobs').select(['id', 'person_id', 'account_id', 'step']);
    for (const job of await open.where('step', '<>', 'done').orderBy('created_at').execute()) {
      await this.#work(job, stopping);
    }
  }

  async #work(job: Job, stopping: AbortSignal): Promise<void> {
    let { step } = job;
    try {
      while (step !== 'done' && !stopping.aborted) step = await this.#do({ ...job, step });
    } catch (error) {
      this.logger.warn({ err: error, job: job.id, step }, 'a deletion cannot go on yet; trying again');
    }
  }

  async #do({ id, person_id: personId, account_id: accountId, step }: Job): Promise<Step> {
    switch (step) {
      case 'closing':
        if (accountId === null) return this.#advance(id, step, 'erasing');
        await unlessUnknown(this.apis.operator.call('closeAccount', { params: { id: accountId } }));
        return this.#advance(id, step, 'forgetting');
      case 'forgetting':
        if (accountId !== null) {
          await unlessUnknown(this.apis.operator.call('forgetAccount', { params: { id: accountId } }));
        }
        return this.#advance(id, step, 'erasing');
      case 'erasing':
        await this.#erase(id, personId);
        return 'done';
      case 'done':
        return step;
    }
  }

  /** Moves the job on, unless another portal has already moved it. */
  async #advance(id: string, from: Step, to: Step): Promise<Step> {
    await this.db
      .updateTable('deletion_jobs')
      .set({ step: to })
      .where('id', '=', id)
      .where('step', '=', from)
      .execute();
    return to;
  }

  /** Deletes all rows about a person with the person's row. The remaining job names neither person nor account. */
  async #erase(id: string, personId: string): Promise<void> {
    await this.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('people').where('id', '=', personId).execute();
      await transaction
        .updateTable('deletion_jobs')
        .set({ step: 'done', person_id: id, account_id: null, finished_at: NOW })
        .where('id', '=', id)
        .execute();
    });
  }
}

/** Ignores unknown accounts: a restored backup of the portal may have accounts that the exchange lacks. */
async function unlessUnknown(call: Promise<unknown>): Promise<void> {
  try {
    await bodyOf(call);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'account_not_found')) throw error;
  }
}
