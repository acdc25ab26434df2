import { randomUUID } from 'node:crypto';
import type * as webauthn from '@simplewebauthn/server';
import type * as helpers from '@simplewebauthn/server/helpers';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Site } from '../base/site.ts';
import type { PortalDatabase, PortalTransaction } from '../base/database.ts';
import { inMs, NOW } from '../base/database-time.ts';
import type { Person, PortalTables } from '../base/schema.ts';

/** The library is loaded for the first passkey: loading it takes as long as the rest of the portal. */
const loadLibrary = (): Promise<typeof webauthn> => import('@simplewebauthn/server');
const loadHelpers = (): Promise<typeof helpers> => import('@simplewebauthn/server/helpers');

/** A verified new passkey of a device. */
export type NewPasskey = Readonly<{ credential: webauthn.WebAuthnCredential; name: string }>;

/** The owner of a challenge: the requesting session, or a browser without a session. */
export type Requester = { readonly sessionId: string } | { readonly browserHash: Buffer };

type Purpose = PortalTables['challenges']['purpose'];
type PasskeyAnswer = RegistrationResponseJSON | AuthenticationResponseJSON;

/** The answer of the person's device proves nothing; the reason is only for the log. */
export class PasskeyRefused extends Error {}

export class TooManyPasskeys extends Error {}

export const PASSKEYS_MAX = 20;

/** The columns of a passkey that its owner sees. */
const SHOWN = ['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'] as const;

/** The name that the person's device shows next to the host. */
const SERVICE_NAME = 'Paper Trading Service';

const CHALLENGE_MS = 5 * 60_000;

/** The form of challenges. Postgres would throw for a text with a null character. */
const CHALLENGE = /^[\w-]+$/;

/**
 * Passkeys (WebAuthn). A challenge works once, for the purpose and the owner that it was made for. Devices must check
 * the person by a PIN or a finger, so that a passkey alone suffices to sign in.
 */
export class Passkeys {
  constructor(
    private readonly db: PortalDatabase,
    private readonly site: () => Pick<Site, 'hostname' | 'origin'>,
  ) {}

  /** The options of `navigator.credentials.get` for a sign-in by any passkey that the device has for the site. */
  challengeForSignIn(owner: Requester) {
    return this.#challengeForUse('sign-in', owner, {});
  }

  /** The options of `navigator.credentials.get` for a signed-in person who proves who they are again. */
  async challengeForProof(owner: Requester, personId: string) {
    return this.#challengeForUse('prove', owner, { allowCredentials: await this.#credentials(personId) });
  }

  async #challengeForUse(
    purpose: Purpose,
    owner: Requester,
    more: Partial<webauthn.GenerateAuthenticationOptionsOpts>,
  ) {
    const { generateAuthenticationOptions } = await loadLibrary();
    const rpID = this.site().hostname;
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', ...more });
    await this.#keepChallenge(options.challenge, purpose, owner);
    return options;
  }

  /** The options of `navigator.credentials.create`. The person may not be stored yet; then they have a random id. */
  async challengeForNew(owner: Requester, person: Pick<Person, 'id' | 'sign_in_name' | 'display_name'>) {
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
    await this.#keepChallenge(options.challenge, 'add', owner);
    return options;
  }

  /** Verifies the passkey that the device made. @throws PasskeyRefused. */
  async verifyNew(owner: Requester, response: RegistrationResponseJSON, name: string): Promise<NewPasskey> {
    await this.#takeChallenge(response, 'add', owner);
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await refusing(verifyRegistrationResponse({ response, ...this.#expected }));
    if (!verified) throw new PasskeyRefused('the new passkey is not verified');
    return { credential: registrationInfo.credential, name };
  }

  get #expected() {
    const { hostname, origin } = this.site();
    // The challenge was looked up in our table, so the library need not compare it.
    const expectedChallenge = (): boolean => true;
    return { expectedChallenge, expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
  }

  /** Adds the passkey that the device made. @throws PasskeyRefused, and TooManyPasskeys. */
  async add(owner: Requester, personId: string, response: RegistrationResponseJSON, name: string) {
    const made = await this.verifyNew(owner, response, name);
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

  /** The id of the person whose device answered. @throws PasskeyRefused for an unknown passkey or a wrong signature. */
  async verify(purpose: 'sign-in' | 'prove', owner: Requester, response: AuthenticationResponseJSON): Promise<string> {
    await this.#takeChallenge(response, purpose, owner);
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
        ...this.#expected,
        credential: { id: response.id, publicKey: new Uint8Array(known.public_key), counter: Number(known.counter) },
      }),
    );
    if (!verified) throw new PasskeyRefused('the signature is not that of this passkey');
    await this.db
      .updateTable('passkeys')
      .set({ counter: authenticationInfo.newCounter, last_used_at: NOW })
      .where('credential_id', '=', response.id)
      .execute();
    return known.person_id;
  }

  list(personId: string) {
    const stored = this.db.selectFrom('passkeys').select(SHOWN).where('person_id', '=', personId);
    return stored.orderBy('created_at').orderBy('id').execute();
  }

  #credentials(personId: string) {
    const stored = this.db.selectFrom('passkeys').where('person_id', '=', personId);
    return stored.select(['credential_id as id', 'transports']).execute();
  }

  async #keepChallenge(challenge: string, purpose: Purpose, owner: Requester): Promise<void> {
    await this.db.deleteFrom('challenges').where('expires_at', '<=', NOW).execute();
    const columns = {
      session_id: 'sessionId' in owner ? owner.sessionId : null,
      browser_hash: 'browserHash' in owner ? owner.browserHash : null,
    };
    const row = { challenge, purpose, ...columns, expires_at: inMs(CHALLENGE_MS) };
    await this.db.insertInto('challenges').values(row).execute();
  }

  /** Uses up the challenge of an answer, right or wrong. @throws PasskeyRefused for another owner's challenge. */
  async #takeChallenge({ response }: PasskeyAnswer, purpose: Purpose, owner: Requester): Promise<void> {
    // It is JSON of the client: its type is what the library expects, not what it checked.
    const clientData = await refusing<{ readonly challenge?: unknown } | null>(
      loadHelpers().then(({ decodeClientDataJSON }) => decodeClientDataJSON(response.clientDataJSON)),
    );
    const challenge = clientData?.challenge;
    if (typeof challenge !== 'string' || !CHALLENGE.test(challenge)) {
      throw new PasskeyRefused('the answer has no challenge');
    }
    const ofOwner = this.db
      .deleteFrom('challenges')
      .where('challenge', '=', challenge)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', NOW);
    const { numDeletedRows } = await (
      'sessionId' in owner
        ? ofOwner.where('session_id', '=', owner.sessionId)
        : ofOwner.where('browser_hash', '=', owner.browserHash)
    ).executeTakeFirst();
    if (numDeletedRows === 0n) throw new PasskeyRefused('the challenge is unknown, used or expired');
  }
}

/** @throws PasskeyRefused if the passkey is stored already. */
export async function insertPasskey(db: PortalTransaction, personId: string, { credential, name }: NewPasskey) {
  const row = await db
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
    .returning(SHOWN)
    .executeTakeFirst();
  if (row === undefined) throw new PasskeyRefused('this passkey is stored already');
  return row;
}

/** Converts the library's errors: it throws a plain Error for each reason to refuse. */
async function refusing<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification;
  } catch (error) {
    throw new PasskeyRefused('the answer is not valid', { cause: error });
  }
}
