import { ApiError, Unavailable } from '@paper/contracts';
import type { Logger, Metrics } from '@paper/runtime';
import { sql } from 'kysely';
import { NOW } from '../base/database-time.ts';
import type { PortalDatabase } from '../base/database.ts';
import { JOBS_EVERY_MS, Repeated } from '../base/repeated.ts';
import type { Person, PortalTables } from '../base/schema.ts';
import { emailNotConfirmed } from '../identity/people.ts';
import { bodyOf } from '../keys/api.ts';
import type { Apis } from '../keys/api.ts';
import { ownAccount } from '../keys/portal-keys.ts';
import type { PortalKeys } from '../keys/portal-keys.ts';

type Step = PortalTables['sign_up_jobs']['step'];

/** The age from which this process takes over a job that another process began. */
const LEFT_AFTER = '30 seconds';

/**
 * Opens the accounts of people who signed up: waiting (for the e-mail) -> opening (the account) -> issuing (its keys)
 * -> done. Each step may run twice, since another portal continues a job after a crash. The job chooses the account's
 * id, so that repeated calls open one account even when the exchange has forgotten their Idempotency-Key (24 hours).
 */
export class AccountOpening {
  readonly #rounds: Repeated;
  readonly #working = new Map<string, Promise<Person>>();
  /** The least age of the jobs that the next round takes; the first round takes all. */
  #age = '0 seconds';

  constructor(
    private readonly db: PortalDatabase,
    private readonly apis: Apis,
    private readonly keys: PortalKeys,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.#rounds = new Repeated('read sign-ups', JOBS_EVERY_MS, (stopping) => this.#continue(stopping), logger);
    metrics.gauge('portal_sign_ups_open', 'Accounts of sign-ups that are not open yet', {
      // An unreachable database must not break the other metrics; the last number stays.
      collect: (gauge) =>
        this.#countOpen().then(
          (open) => gauge.set(open),
          () => undefined,
        ),
    });
  }

  /**
   * Completes the job. @throws Unavailable if it continues later; ApiError if the exchange refuses the account, after
   * which the person is removed and the name free.
   */
  finish(personId: string): Promise<Person> {
    const running = this.#working.get(personId);
    if (running !== undefined) return running;
    const work = this.#finish(personId).finally(() => this.#working.delete(personId));
    this.#working.set(personId, work);
    return work;
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await Promise.allSettled(this.#working.values());
  }

  async #continue(stopping: AbortSignal): Promise<void> {
    const old = sql<Date>`now() - ${this.#age}::interval`;
    const jobs = await this.#openJobs()
      .select('person_id')
      .where('created_at', '<=', old)
      .orderBy('created_at')
      .execute();
    for (const { person_id: personId } of jobs) {
      if (stopping.aborted) return;
      await this.finish(personId).catch((error: unknown) => {
        this.logger.warn({ err: error, personId }, 'an account cannot be opened yet; trying again');
      });
    }
    this.#age = LEFT_AFTER;
  }

  async #countOpen(): Promise<number> {
    const counted = this.#openJobs().select(({ fn }) => fn.countAll<string>().as('open'));
    return Number((await counted.executeTakeFirstOrThrow()).open);
  }

  #openJobs() {
    return this.db.selectFrom('sign_up_jobs').where('step', 'in', ['opening', 'issuing']);
  }

  async #finish(personId: string): Promise<Person> {
    for (;;) {
      const { accountId, callKey, person, step } = await this.#read(personId);
      if (step === 'done') return person;
      if (step === 'waiting') throw emailNotConfirmed();
      if (step === 'opening') await this.#open(person, accountId, callKey);
      else await this.#issue(person);
    }
  }

  /** `accountId`: to open the account with; null: the exchange makes one. `callKey`: the call's Idempotency-Key. */
  async #read(personId: string) {
    const row = await this.db
      .selectFrom('people')
      .innerJoin('sign_up_jobs', 'sign_up_jobs.person_id', 'people.id')
      .selectAll('people')
      .select(['step', 'call_key', 'sign_up_jobs.account_id as job_account_id'])
      .where('people.id', '=', personId)
      .executeTakeFirst();
    if (row === undefined) throw new Unavailable('This sign-up was given up; sign up again');
    const { step, call_key: callKey, job_account_id: accountId, ...person } = row;
    return { person, step, callKey, accountId };
  }

  async #open(person: Person, accountId: string | null, callKey: string): Promise<void> {
    await this.db
      .updateTable('sign_up_jobs')
      .set({ opening_at: NOW })
      .where('person_id', '=', person.id)
      .where('opening_at', 'is', null)
      .execute();
    const opened = await this.#requestAccount(person, accountId, callKey);
    await this.db.transaction().execute(async (db) => {
      await db.updateTable('people').set({ account_id: opened }).where('id', '=', person.id).execute();
      await this.#advance(db, person.id, 'opening', 'issuing');
    });
  }

  async #requestAccount({ id, display_name: displayName }: Person, accountId: string | null, callKey: string) {
    // The permission is that of the account's first key, which is revoked when the portal's own keys are stored.
    const body = { ...(accountId === null ? {} : { id: accountId }), displayName, permissions: ['view'] as const };
    try {
      const call = this.apis.operator.call('openAccount', { body }, { idempotencyKey: callKey });
      return (await bodyOf(call)).account.id;
    } catch (error) {
      // An earlier call opened the account, and its answer was lost: only this job has the id.
      if (accountId !== null && error instanceof ApiError && error.code === 'idempotency_conflict') return accountId;
      if (error instanceof ApiError && error.status === 400) {
        await this.#giveUp(id, error);
        throw error;
      }
      // Such an error, for example a wrong token of the portal's, is nothing that the person could correct.
      this.logger.error({ err: error, personId: id }, 'the exchange opened no account');
      throw new Unavailable('Your account cannot be opened now. It will be: sign in later', { cause: error });
    }
  }

  async #giveUp(personId: string, reason: Error): Promise<void> {
    this.logger.error({ err: reason, personId }, 'a sign-up was given up');
    await this.db.deleteFrom('people').where('id', '=', personId).where('account_id', 'is', null).execute();
  }

  /** Issues the keys, and revokes every other one: the key from the opening, and keys whose answer was lost. */
  async #issue(person: Person): Promise<void> {
    const owner = ownAccount(person);
    await this.keys.get(owner, 'everyday');
    await this.keys.get(owner, 'master');
    const { keys } = await this.keys.call(owner, 'master', (api) => api.call('listKeys', {}));
    const ours = await this.keys.idsOf(person.id);
    for (const { id, revokedAt } of keys) {
      if (revokedAt !== null || ours.has(id)) continue;
      await this.keys.call(owner, 'master', (api) => api.call('revokeKey', { params: { keyId: id } }));
    }
    await this.db.transaction().execute(async (db) => {
      const pending = db.updateTable('people').where('id', '=', person.id).where('state', '=', 'pending');
      await pending.set({ state: 'active' }).execute();
      await this.#advance(db, person.id, 'issuing', 'done');
    });
  }

  /** Moves the job on, unless another portal has already moved it. */
  async #advance(db: PortalDatabase, personId: string, from: Step, to: Step): Promise<void> {
    await db
      .updateTable('sign_up_jobs')
      .set({ step: to, ...(to === 'done' ? { finished_at: NOW } : {}) })
      .where('person_id', '=', personId)
      .where('step', '=', from)
      .execute();
  }
}
