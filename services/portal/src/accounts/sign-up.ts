import { randomUUID } from 'node:crypto';
import { ApiError } from '@paper/contracts';
import { DAY_MS, HOUR_MS } from '@paper/contracts/units';
import { inMs } from '../base/database-time.ts';
import { PortalError } from '../base/errors.ts';
import type { PortalDatabase } from '../base/database.ts';
import { linkCompanyIdentity } from '../identity/company.ts';
import { assertEmailFree, storingEmail } from '../identity/email-change.ts';
import { takeLink } from '../identity/email-links.ts';
import { isOpenInvite, takeInvite } from '../identity/invites.ts';
import { insertPasskey } from '../identity/passkeys.ts';
import type { NewPasskey } from '../identity/passkeys.ts';
import { foldName } from '../identity/passwords.ts';
import type { Person } from '../base/schema.ts';
import type { Throttle, ThrottleLimit } from '../identity/throttle.ts';
import { hashToken } from '../base/tokens.ts';
import type { PortalConfig } from '../base/config.ts';

/** A person who signs up; all texts are checked. */
export interface SignUpRequest {
  readonly signInName: string;
  readonly displayName: string;
  readonly passwordHash: string | null;
  readonly invite: string | null;
  /** A repeated request with this key continues the first one. */
  readonly idempotencyKey: string;
  readonly address: string;
  readonly waitsForEmail: boolean;
  /** The browser that returned from a company's issuer, whose identity is linked; null: no identity is linked. */
  readonly arrival: { readonly browserHash: Buffer | null } | null;
  readonly passkey: NewPasskey | null;
  readonly cameFrom: string | null;
}

/** The attempts of an address in an hour, also those that end with "name taken"; more if more sign-ups are allowed. */
const TRIES_AN_HOUR = 60;
const TRIES_FOR_A_SIGN_UP = 3;

/** The portal's own part of a sign-up: each person is a row `pending`, with the job that opens the account. */
export class SignUps {
  readonly #tries: ThrottleLimit;
  readonly #limits: readonly (readonly [limit: ThrottleLimit, subjectOf: (address: string) => string])[];

  constructor(
    private readonly db: PortalDatabase,
    private readonly throttle: Throttle,
    config: PortalConfig,
  ) {
    const { SIGN_UPS_IN_ALL, SIGN_UPS_PER_DAY, SIGN_UPS_PER_HOUR } = config;
    const message = 'Too many sign-ups from your address';
    const ofAll = 'Too many people have signed up today';
    const tries = Math.max(TRIES_AN_HOUR, TRIES_FOR_A_SIGN_UP * SIGN_UPS_PER_HOUR);
    this.#tries = { kind: 'sign-up tries', events: tries, minutes: 60, message };
    this.#limits = [
      [{ kind: 'sign-ups an hour', events: SIGN_UPS_PER_HOUR, minutes: 60, message }, (address) => address],
      [{ kind: 'sign-ups a day', events: SIGN_UPS_PER_DAY, minutes: 24 * 60, message }, (address) => address],
      [{ kind: 'sign-ups of all', events: SIGN_UPS_IN_ALL, minutes: 24 * 60, message: ofAll }, () => 'all'],
    ];
  }

  /** Counts an attempt. @throws ApiError rate_limited. */
  countTry(address: string): Promise<void> {
    return this.throttle.take(this.#tries, address);
  }

  /** The person whose sign-up has this idempotencyKey, if it is unfinished or from the last hour; null without one. */
  async findByRequest(idempotencyKey: string): Promise<Person | null> {
    const person = await this.db
      .selectFrom('sign_up_jobs')
      .innerJoin('people', 'people.id', 'sign_up_jobs.person_id')
      .selectAll('people')
      .where('request_hash', '=', hashToken(idempotencyKey))
      // The Idempotency-Key of a finished sign-up is accepted for an hour only, since it must not replace the password.
      .where((on) => on.or([on('step', '<>', 'done'), on('sign_up_jobs.created_at', '>', inMs(-HOUR_MS))]))
      .executeTakeFirst();
    return person ?? null;
  }

  /** @throws PortalError name_taken, and sign_up_closed for an invite that is unknown, used up or expired. */
  async assertPossible(signInName: string, invite: string | null): Promise<void> {
    if (invite !== null && !(await isOpenInvite(this.db, invite))) throw inviteRefused();
    const named = this.db.selectFrom('people').select('id').where('sign_in_name', '=', foldName(signInName));
    if ((await named.executeTakeFirst()) !== undefined) throw nameTaken();
  }

  /**
   * Stores the person and the job that opens the account, or nothing. @throws PortalError name_taken or sign_up_closed;
   * ApiError rate_limited or idempotency_conflict.
   */
  async store(request: SignUpRequest): Promise<Person> {
    const giveBack = await this.#takeAll(request.address);
    try {
      return await this.#insert(request);
    } catch (error) {
      await giveBack();
      throw refusalOf(error) ?? error;
    }
  }

  #insert(request: SignUpRequest): Promise<Person> {
    return this.db.transaction().execute(async (db) => {
      const inviteId = request.invite === null ? null : await takeInvite(db, request.invite);
      if (request.invite !== null && inviteId === null) throw inviteRefused();
      const person = await db
        .insertInto('people')
        .values({
          id: randomUUID(),
          sign_in_name: foldName(request.signInName),
          display_name: request.displayName,
          password_hash: request.passwordHash,
          email: null,
          account_id: null,
          state: request.waitsForEmail ? 'unconfirmed' : 'pending',
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { arrival } = request;
      if (arrival !== null && !(await linkCompanyIdentity(db, arrival.browserHash, person.id))) {
        throw new PortalError('expired', 'Sign in at your company again: that was too long ago, or is linked already');
      }
      if (request.passkey !== null) await insertPasskey(db, person.id, request.passkey);
      await db
        .insertInto('sign_up_jobs')
        .values({
          person_id: person.id,
          request_hash: hashToken(request.idempotencyKey),
          call_key: `portal sign-up ${person.id}`,
          account_id: randomUUID(),
          invite_id: inviteId,
          step: request.waitsForEmail ? 'waiting' : 'opening',
          opening_at: null,
          finished_at: null,
          came_from: request.waitsForEmail ? request.cameFrom : null,
        })
        .execute();
      return person;
    });
  }

  /** Counts the sign-up against each limit. Returns a function that undoes that. @throws ApiError rate_limited. */
  async #takeAll(address: string): Promise<() => Promise<void>> {
    const taken: (() => Promise<void>)[] = [];
    const giveBack = async (): Promise<void> => {
      for (const one of taken) await one();
    };
    for (const [limit, subjectOf] of this.#limits) {
      const subject = subjectOf(address);
      try {
        await this.throttle.take(limit, subject);
      } catch (error) {
        await giveBack();
        throw error;
      }
      taken.push(() => this.throttle.giveBack(limit, subject));
    }
    return giveBack;
  }

  /** Lets a sign-up go on by the link in its e-mail; null for an invalid link. @throws ApiError for a taken address. */
  confirm(token: string): Promise<{ readonly personId: string; readonly cameFrom: string | null } | null> {
    return storingEmail(this.db, async (db) => {
      const opened = await takeLink(db, 'confirm-sign-up', token);
      if (opened === null) return null;
      const { email, personId } = opened;
      await assertEmailFree(db, personId, email);
      const unconfirmed = db.updateTable('people').where('id', '=', personId).where('state', '=', 'unconfirmed');
      await unconfirmed.set({ state: 'pending', email }).execute();
      const job = db.selectFrom('sign_up_jobs').select('came_from').where('person_id', '=', personId);
      const cameFrom = (await job.executeTakeFirst())?.came_from ?? null;
      const waiting = db.updateTable('sign_up_jobs').where('person_id', '=', personId).where('step', '=', 'waiting');
      await waiting.set({ step: 'opening', came_from: null }).execute();
      return { personId, cameFrom };
    });
  }

  /** Frees the names of sign-ups whose e-mail was not confirmed for a day. */
  async sweep(): Promise<void> {
    const unconfirmed = this.db.deleteFrom('people').where('state', '=', 'unconfirmed');
    await unconfirmed.where('created_at', '<', inMs(-DAY_MS)).execute();
  }
}

function inviteRefused(): PortalError {
  return new PortalError('sign_up_closed', 'This invite is unknown, used up, or has expired: ask for another one');
}

const nameTaken = (): PortalError => new PortalError('name_taken', 'This sign-in name is taken: choose another');

/** The refusal of a name, or a request, that is stored already; null for any other error. */
function refusalOf(error: unknown): Error | null {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  if (code !== '23505') return null;
  if (constraint === 'people_sign_in_name_key') return nameTaken();
  return constraint === 'sign_up_jobs_request_hash_key' ? idempotencyKeyTaken() : null;
}

/** The refusal of an idempotencyKey that another sign-up used. */
export function idempotencyKeyTaken(): ApiError {
  return new ApiError('idempotency_conflict', 'This idempotencyKey was used with another sign-up; take a new one');
}
