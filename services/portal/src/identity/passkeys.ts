import { randomUUID } from 'node:crypto';
import type * as webauthn from '@simplewebauthn/server';
import type * as helpers from '@simplewebauthn/server/helpers';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Site } from '../base/site.ts';
import type { PortalDatabase } from '../base/database.ts';
import { inMs } from '../base/database-time.ts';
import type { ChallengesTable, Person, PortalTables } from '../base/schema.ts';

/** The library is loaded for the first passkey: loading it takes as long as the rest of the portal. */
const loadLibrary = (): Promise<typeof webauthn> => import('@simplewebauthn/server');
const loadHelpers = (): Promise<typeof helpers> => import('@simplewebauthn/server/helpers');

/** The site that passkeys are bound to. Its host name is the RP ID, so no other host can use them. */
export type PasskeySite = Pick<Site, 'hostname' | 'origin'>;

/** A passkey as the person sees it. Times are ISO 8601. */
export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** A verified passkey that a device made. */
export interface NewPasskey {
  readonly credential: webauthn.WebAuthnCredential;
  readonly name: string;
}

/** The owner of a challenge: the requesting session, or a browser without a session. */
export type Asker = { readonly sessionId: string } | { readonly browserHash: Buffer };

type Purpose = ChallengesTable['purpose'];

/** The answer of the person's device proves nothing. The reason is only for the log. */
export class PasskeyRefused extends Error {}

/** The person already has the largest allowed number of passkeys. */
export class TooManyPasskeys extends Error {}

export const PASSKEYS_MAX = 20;

/** The name that the person's device shows next to the host. */
const SERVICE_NAME = 'Paper Trading Service';

/** The time limit to find the device and to touch it. */
const CHALLENGE_MS = 5 * 60_000;

/**
 * Passkeys (WebAuthn). Each challenge works once, for the purpose and the asker that it was made for. Devices must
 * check the person by a PIN or a finger, so that a passkey alone suffices to sign in.
 */
export class Passkeys {
  constructor(
    private readonly db: PortalDatabase,
    private readonly site: () => PasskeySite,
  ) {}

  /** The options of `navigator.credentials.get` for a sign-in: the device offers the passkeys that it has for the site. */
  async challengeForSignIn(asker: Asker): Promise<webauthn.PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await loadLibrary();
    const options = await generateAuthenticationOptions({
      rpID: this.site().hostname,
      userVerification: 'required',
    });
    await this.#keepChallenge(options.challenge, 'sign-in', asker);
    return options;
  }

  /** The options of `navigator.credentials.get` for a signed-in person who proves who they are again. */
  async challengeForProof(asker: Asker, personId: string): Promise<webauthn.PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await loadLibrary();
    const options = await generateAuthenticationOptions({
      rpID: this.site().hostname,
      userVerification: 'required',
      allowCredentials: await this.#credentials(personId),
    });
    await this.#keepChallenge(options.challenge, 'prove', asker);
    return options;
  }

  /** The options of `navigator.credentials.create`. The person may not be stored yet; then they have a random id. */
  async challengeForNew(
    asker: Asker,
    person: Pick<Person, 'id' | 'sign_in_name' | 'display_name'>,
  ): Promise<webauthn.PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await loadLibrary();
    const options = await generateRegistrationOptions({
      rpID: this.site().hostname,
      rpName: SERVICE_NAME,
      // The device shows the name in its list. It returns the id, which must reveal nothing about the person.
      userID: new Uint8Array(Buffer.from(person.id, 'utf8')),
      userName: person.sign_in_name,
      userDisplayName: person.display_name,
      attestationType: 'none',
      excludeCredentials: await this.#credentials(person.id),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.#keepChallenge(options.challenge, 'add', asker);
    return options;
  }

  /** Verifies the passkey that the device made. @throws PasskeyRefused. */
  async verifyNew(asker: Asker, response: RegistrationResponseJSON, name: string): Promise<NewPasskey> {
    await this.#takeChallenge(response, 'add', asker);
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await refusing(
      verifyRegistrationResponse({
        response,
        // The challenge was looked up in our table, so the library need not compare it.
        expectedChallenge: () => true,
        expectedOrigin: this.site().origin,
        expectedRPID: this.site().hostname,
        requireUserVerification: true,
      }),
    );
    if (!verified) throw new PasskeyRefused('the new passkey is not verified');
    return { credential: registrationInfo.credential, name };
  }

  /**
   * Adds the passkey that the device made.
   *
   * @throws PasskeyRefused, and TooManyPasskeys.
   */
  async add(asker: Asker, personId: string, response: RegistrationResponseJSON, name: string): Promise<PasskeyView> {
    const made = await this.verifyNew(asker, response, name);
    return this.db.transaction().execute(async (transaction) => {
      // Locks the person; otherwise two concurrent new passkeys could exceed the limit.
      await transaction.selectFrom('people').select('id').where('id', '=', personId).forUpdate().executeTakeFirst();
      const { there } = await transaction
        .selectFrom('passkeys')
        .select(({ fn }) => fn.countAll<string>().as('there'))
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow();
      if (Number(there) >= PASSKEYS_MAX) throw new TooManyPasskeys();
      return insertPasskey(transaction, personId, made);
    });
  }

  /**
   * Finds the person whose device answered a challenge for a sign-in or a proof.
   * @returns the person's id.
   * @throws PasskeyRefused, both for an unknown passkey and for a wrong signature.
   */
  async verify(purpose: 'sign-in' | 'prove', asker: Asker, response: AuthenticationResponseJSON): Promise<string> {
    await this.#takeChallenge(response, purpose, asker);
    const known = await this.db
      .selectFrom('passkeys')
      .select(['person_id', 'public_key', 'counter'])
      .where('credential_id', '=', response.id)
      .executeTakeFirst();
    if (known === undefined) throw new PasskeyRefused('no such passkey');
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { verified, authenticationInfo } = await refusing(
      verifyAuthenticationResponse({
        response,
        expectedChallenge: () => true,
        expectedOrigin: this.site().origin,
        expectedRPID: this.site().hostname,
        requireUserVerification: true,
        credential: {
          id: response.id,
          publicKey: new Uint8Array(known.public_key),
          counter: Number(known.counter),
        },
      }),
    );
    if (!verified) throw new PasskeyRefused('the signature is not that of this passkey');
    await this.db
      .updateTable('passkeys')
      .set({ counter: authenticationInfo.newCounter, last_used_at: sql<Date>`now()` })
      .where('credential_id', '=', response.id)
      .execute();
    return known.person_id;
  }

  /** The person's passkeys, the oldest first. */
  async list(personId: string): Promise<PasskeyView[]> {
    const rows = await this.db
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'last_used_at'])
      .where('person_id', '=', personId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(viewOf);
  }

  async #credentials(personId: string): Promise<{ id: string; transports: string[] }[]> {
    const rows = await this.db
      .selectFrom('passkeys')
      .select(['credential_id', 'transports'])
      .where('person_id', '=', personId)
      .execute();
    return rows.map(({ credential_id: id, transports }) => ({ id, transports }));
  }

  async #keepChallenge(challenge: string, purpose: Purpose, asker: Asker): Promise<void> {
    await this.db
      .deleteFrom('challenges')
      .where('expires_at', '<=', sql<Date>`now()`)
      .execute();
    await this.db
      .insertInto('challenges')
      .values({
        challenge,
        purpose,
        session_id: 'sessionId' in asker ? asker.sessionId : null,
        browser_hash: 'browserHash' in asker ? asker.browserHash : null,
        expires_at: inMs(CHALLENGE_MS),
      })
      .execute();
  }

  /**
   * Uses up the challenge of this answer, whether the answer is right or wrong. @throws PasskeyRefused when the
   * challenge was not issued to this caller.
   */
  async #takeChallenge(
    { response }: RegistrationResponseJSON | AuthenticationResponseJSON,
    purpose: Purpose,
    asker: Asker,
  ): Promise<void> {
    const { challenge } = await refusing(
      loadHelpers().then(({ decodeClientDataJSON }) => decodeClientDataJSON(response.clientDataJSON)),
    );
    if (typeof challenge !== 'string') throw new PasskeyRefused('the answer has no challenge');
    const ofAsker = this.db
      .deleteFrom('challenges')
      .where('challenge', '=', challenge)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', sql<Date>`now()`);
    const { numDeletedRows } = await (
      'sessionId' in asker
        ? ofAsker.where('session_id', '=', asker.sessionId)
        : ofAsker.where('browser_hash', '=', asker.browserHash)
    ).executeTakeFirst();
    if (numDeletedRows === 0n) throw new PasskeyRefused('the challenge is unknown, used or expired');
  }
}

/** @throws PasskeyRefused when it is already stored. */
export async function insertPasskey(
  transaction: Transaction<PortalTables>,
  personId: string,
  { credential, name }: NewPasskey,
): Promise<PasskeyView> {
  const row = await transaction
    .insertInto('passkeys')
    .values({
      id: randomUUID(),
      credential_id: credential.id,
      person_id: personId,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst();
  if (row === undefined) throw new PasskeyRefused('this passkey is stored already');
  return viewOf(row);
}

/** Converts the library's errors: it throws a plain Error for each reason to refuse. */
async function refusing<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification;
  } catch (error) {
    throw new PasskeyRefused('the answer is not valid', { cause: error });
  }
}

function viewOf(row: {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}): PasskeyView {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
