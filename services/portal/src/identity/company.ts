import type { CompanyAttempt, CompanyIdentity, CompanyProvider } from './company-provider.ts';
import { CompanySignInRefused } from './company-provider.ts';
import type { PortalDatabase, PortalTransaction } from '../base/database.ts';
import { inMs, NOW } from '../base/database-time.ts';
import { hashToken } from '../base/tokens.ts';

/** The path to which the issuer sends people back. Its address has to be registered there. */
export const COMPANY_RETURN = '/portal/company/return';

/** The result of a person's return from the company's issuer. */
export type CompanyOutcome =
  | { readonly kind: 'known'; readonly personId: string }
  /** The identity is linked, now or earlier, to the person who is signed in: this counts as proof that it is them. */
  | { readonly kind: 'linked'; readonly sessionId: string }
  /** The signed-in person has to prove who they are before they link an identity. */
  | { readonly kind: 'unproven' }
  /** The identity, or the person, is already linked, but not to each other. */
  | { readonly kind: 'taken' }
  /** No person has this identity yet: the identity waits for a sign-up in the same browser. */
  | { readonly kind: 'new' };

interface CompanyVisit {
  readonly attempt: CompanyAttempt;
  /** The session to link to; null for a sign-in. */
  readonly sessionId: string | null;
  readonly cameFrom: string | null;
}

const VISIT_MS = 10 * 60_000;
const ARRIVAL_MS = 30 * 60_000;

/**
 * Sign-in by a company's issuer. A visit to the issuer works once, and only in the browser that began it. People are
 * found by issuer and subject, never by an e-mail address.
 */
export class CompanySignIn {
  constructor(
    private readonly db: PortalDatabase,
    private readonly provider: CompanyProvider,
  ) {}

  /** Begins a visit, and returns the issuer's address. In a session, it links the identity or proves who it is. */
  async begin(browserHash: Buffer, sessionId: string | null, cameFrom: string | null): Promise<URL> {
    const { url, attempt } = await this.provider.begin();
    await this.db.deleteFrom('company_visits').where('expires_at', '<=', NOW).execute();
    const visit = {
      state_hash: hashToken(attempt.state),
      browser_hash: browserHash,
      nonce: attempt.nonce,
      code_verifier: attempt.codeVerifier,
      session_id: sessionId,
      came_from: cameFrom,
      expires_at: inMs(VISIT_MS),
    };
    await this.db.insertInto('company_visits').values(visit).execute();
    return url;
  }

  /** Ends the visit of this query. @throws CompanySignInRefused when it is not this browser's, or has expired. */
  async end(query: string, browserHash: Buffer): Promise<CompanyVisit> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const visit = await this.db
      .deleteFrom('company_visits')
      .where('state_hash', '=', hashToken(state))
      .where('browser_hash', '=', browserHash)
      .where('expires_at', '>', NOW)
      .returning(['nonce', 'code_verifier', 'session_id', 'came_from'])
      .executeTakeFirst();
    if (visit === undefined) throw new CompanySignInRefused('The visit is unknown, or has expired.');
    return {
      attempt: { state, nonce: visit.nonce, codeVerifier: visit.code_verifier },
      sessionId: visit.session_id,
      cameFrom: visit.came_from,
    };
  }

  /** Finishes the sign-in of a visit that has ended. @throws CompanySignInRefused when the answer proves nothing. */
  async finish(query: string, browserHash: Buffer, { attempt, sessionId }: CompanyVisit): Promise<CompanyOutcome> {
    const identity = await this.provider.finish(query, attempt);
    if (sessionId !== null) return this.#link(identity, sessionId);
    const personId = await this.#personOf(identity);
    if (personId !== null) return { kind: 'known', personId };
    await this.#keepArrival(identity, browserHash);
    return { kind: 'new' };
  }

  async isLinked(personId: string): Promise<boolean> {
    const links = this.db.selectFrom('company_links').select('issuer').where('person_id', '=', personId);
    return (await links.execute()).length > 0;
  }

  async #personOf({ issuer, subject }: CompanyIdentity): Promise<string | null> {
    const row = await this.db
      .selectFrom('company_links')
      .select('person_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.person_id ?? null;
  }

  async #link(identity: CompanyIdentity, sessionId: string): Promise<CompanyOutcome> {
    return this.db.transaction().execute(async (transaction): Promise<CompanyOutcome> => {
      const session = await transaction
        .selectFrom('sessions')
        .innerJoin('people', 'people.id', 'sessions.person_id')
        .select(['people.id', 'sessions.proven_until'])
        .where('sessions.id', '=', sessionId)
        .where('sessions.expires_at', '>', NOW)
        .forUpdate('people')
        .executeTakeFirst();
      if (session === undefined) throw new CompanySignInRefused('The session has ended.');
      const links = await transaction
        .selectFrom('company_links')
        .select(['person_id', 'issuer', 'subject'])
        .where((eb) =>
          eb.or([
            eb('person_id', '=', session.id),
            eb.and([eb('issuer', '=', identity.issuer), eb('subject', '=', identity.subject)]),
          ]),
        )
        .execute();
      if (links.length === 0) {
        if (session.proven_until === null || session.proven_until.getTime() <= Date.now()) return { kind: 'unproven' };
        await insertLink(transaction, identity, session.id);
        return { kind: 'linked', sessionId };
      }
      const isTheirs = links.every(
        (link) => link.person_id === session.id && link.issuer === identity.issuer && link.subject === identity.subject,
      );
      return isTheirs ? { kind: 'linked', sessionId } : { kind: 'taken' };
    });
  }

  async #keepArrival({ issuer, subject }: CompanyIdentity, browserHash: Buffer): Promise<void> {
    await this.db.deleteFrom('company_arrivals').where('expires_at', '<=', NOW).execute();
    const values = { issuer, subject, expires_at: inMs(ARRIVAL_MS) };
    await this.db
      .insertInto('company_arrivals')
      .values({ browser_hash: browserHash, ...values })
      .onConflict((conflict) => conflict.column('browser_hash').doUpdateSet(values))
      .execute();
  }
}

/** Links the identity with which this browser came back to a person; false if it has none, or one that is linked. */
export async function linkCompanyIdentity(db: PortalTransaction, browserHash: Buffer | null, personId: string) {
  if (browserHash === null) return false;
  const arrival = await db
    .deleteFrom('company_arrivals')
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', NOW)
    .returning(['issuer', 'subject'])
    .executeTakeFirst();
  return arrival !== undefined && insertLink(db, arrival, personId);
}

async function insertLink(transaction: PortalTransaction, { issuer, subject }: CompanyIdentity, personId: string) {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('company_links')
    .values({ issuer, subject, person_id: personId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
