import { randomUUID } from 'node:crypto';
import type { Logger } from '@paper/runtime';
import { sql } from 'kysely';
import type { PortalDatabase } from '../base/database.ts';
import { Repeated } from '../base/repeated.ts';
import type { DeletionJobsTable } from '../base/schema.ts';

export type DeletionStep = DeletionJobsTable['step'];

/** The two calls of the API that a deletion makes. Each does nothing if it was already carried out. */
export interface AccountRemoval {
  /** Closes the account and its sub-accounts. Resolves also if no account with this id exists any more. */
  readonly close: (accountId: string) => Promise<void>;
  /** Deletes the names of the account, of its sub-accounts and keys. */
  readonly forget: (accountId: string) => Promise<void>;
}

interface Job {
  readonly id: string;
  readonly person_id: string;
  readonly account_id: string | null;
  readonly step: DeletionStep;
}

/** The interval of checks for jobs that another portal, or a failure, left open. */
const LOOK_EVERY_MS = 10_000;

/**
 * Deletes people: closes the account, deletes its names, then removes the rows about the person. The job's row records
 * the completed steps, so a job is continued wherever a process was killed; each step may run twice, even in two
 * portals at once.
 * closing -> forgetting -> erasing -> done
 */
export class Deletions {
  readonly #rounds: Repeated;

  constructor(
    private readonly db: PortalDatabase,
    private readonly removal: AccountRemoval,
    private readonly logger: Logger,
  ) {
    this.#rounds = new Repeated('read deletions', LOOK_EVERY_MS, (stopping) => this.#continue(stopping), logger);
  }

  /**
   * Orders the deletion of a person. From then on they cannot sign in, and all their sessions have ended.
   * @returns the present step of the job; null if no person has this id.
   */
  async order(personId: string): Promise<DeletionStep | null> {
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

  /** Continues the open jobs, and works on later ones, until `stop`. */
  start(): void {
    this.#rounds.start();
  }

  /** Resolves when the current step has ended. */
  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #continue(stopping: AbortSignal): Promise<void> {
    for (const job of await this.#openJobs()) {
      if (stopping.aborted) return;
      await this.#work(job, stopping);
    }
  }

  #openJobs(): Promise<Job[]> {
    return this.db
      .selectFrom('deletion_jobs')
      .select(['id', 'person_id', 'account_id', 'step'])
      .where('step', '<>', 'done')
      .orderBy('created_at')
      .execute();
  }

  /** Completes the remaining steps. A failure leaves the job at its step, for the next round. */
  async #work(job: Job, stopping: AbortSignal): Promise<void> {
    let step = job.step;
    try {
      while (step !== 'done') {
        if (stopping.aborted) return;
        step = await this.#do({ ...job, step });
      }
    } catch (error) {
      this.logger.warn({ err: error, job: job.id, step }, 'a deletion cannot go on yet; trying again');
    }
  }

  async #do({ id, person_id: personId, account_id: accountId, step }: Job): Promise<DeletionStep> {
    switch (step) {
      case 'closing':
        if (accountId === null) return this.#advance(id, step, 'erasing');
        await this.removal.close(accountId);
        return this.#advance(id, step, 'forgetting');
      case 'forgetting':
        if (accountId !== null) await this.removal.forget(accountId);
        return this.#advance(id, step, 'erasing');
      case 'erasing':
        await this.#erase(id, personId);
        return 'done';
      case 'done':
        return step;
    }
  }

  /** Moves the job on, unless another portal has already moved it. */
  async #advance(id: string, from: DeletionStep, to: DeletionStep): Promise<DeletionStep> {
    await this.db
      .updateTable('deletion_jobs')
      .set({ step: to })
      .where('id', '=', id)
      .where('step', '=', from)
      .execute();
    return to;
  }

  /**
   * Deletes all rows about a person together with the person's row. The remaining job names neither person nor account.
   */
  async #erase(id: string, personId: string): Promise<void> {
    await this.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('people').where('id', '=', personId).execute();
      await transaction
        .updateTable('deletion_jobs')
        .set({ step: 'done', person_id: id, account_id: null, finished_at: sql<Date>`now()` })
        .where('id', '=', id)
        .execute();
    });
  }
}
