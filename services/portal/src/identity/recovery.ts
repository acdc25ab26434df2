import { createHash, randomInt } from 'node:crypto';
import type { Logger } from '@paper/runtime';
import { NOW } from '../base/database-time.ts';
import type { PortalDatabase, PortalTransaction } from '../base/database.ts';
import { takeLink } from './email-links.ts';
import type { EmailLinks } from './email-links.ts';
import { foldName } from './passwords.ts';
import type { Throttle } from './throttle.ts';

/** The limit of e-mails to one address in an hour. A further one is not sent, and the answer is the same. */
const EMAILS = { kind: 'letters', events: 5, minutes: 60 } as const;

const CODES = 10;
/** Crockford's base 32, without letters that look like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** The ways back in for a person who lost their password: recovery codes, and links by e-mail. */
export class Recovery {
  /** `links`: null if the portal sends no e-mail. */
  constructor(
    private readonly db: PortalDatabase,
    private readonly links: EmailLinks | null,
    private readonly throttle: Throttle,
    private readonly logger: Logger,
  ) {}

  async codesLeft(personId: string): Promise<number> {
    const { left } = await this.db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<string>().as('left'))
      .where('person_id', '=', personId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(left);
  }

  /** Whether the person has said that they stored their codes, and one of them is still valid. */
  async hasStoredCodes(personId: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('recovery_codes')
      .select('person_id')
      .where('person_id', '=', personId)
      .where('used_at', 'is', null)
      .where('stored_at', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Records that the person stored the codes, of which this is one; false if newer ones have replaced them. */
  async noteStored(personId: string, code: string): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('recovery_codes')
      .set({ stored_at: NOW })
      .where('person_id', '=', personId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('recovery_codes as shown')
            .select('shown.person_id')
            .where('shown.person_id', '=', personId)
            .where('shown.code_hash', '=', recoveryCodeDigest(code)),
        ),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /**
   * Sets a new password by a recovery code, ends all sessions, and returns the person's id; null for a wrong name or code.
   * The caller has made the hash, so that a right code takes no longer than a wrong one.
   */
  async byCode(name: string, code: string, passwordHash: string): Promise<string | null> {
    const folded = foldName(name);
    return this.db.transaction().execute(async (transaction) => {
      const used = await transaction
        .updateTable('recovery_codes')
        .set({ used_at: NOW })
        .where('code_hash', '=', recoveryCodeDigest(code))
        .where('used_at', 'is', null)
        .where('person_id', 'in', (people) =>
          people
            .selectFrom('people')
            .select('id')
            .where('state', '=', 'active')
            .where((eb) => eb.or([eb('sign_in_name', '=', folded), eb('email', '=', folded)])),
        )
        .returning('person_id')
        .executeTakeFirst();
      if (used === undefined) return null;
      await setPassword(transaction, used.person_id, passwordHash);
      return used.person_id;
    });
  }

  /** Sends a link to the person with this address, if any; in the background, so that its time reveals nothing. */
  sendLink(email: string): void {
    this.#sendLink(foldName(email)).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'a link to get back in could not be sent');
    });
  }

  /** As `byCode`, by a link; null if the link is unknown, used or expired. */
  async byLink(token: string, passwordHash: string): Promise<string | null> {
    return this.db.transaction().execute(async (transaction) => {
      const opened = await takeLink(transaction, 'recover', token);
      if (opened === null) return null;
      const person = await transaction
        .selectFrom('people')
        .select('id')
        .where('id', '=', opened.personId)
        .where('state', '=', 'active')
        // A link to an address that the person has replaced since is invalid.
        .where('email', '=', opened.email)
        .executeTakeFirst();
      if (person === undefined) return null;
      await setPassword(transaction, person.id, passwordHash);
      return person.id;
    });
  }

  async #sendLink(email: string): Promise<void> {
    if (this.links === null) return;
    const person = await this.db
      .selectFrom('people')
      .select('id')
      .where('email', '=', email)
      .where('state', '=', 'active')
      .executeTakeFirst();
    if (person === undefined) return;
    if ((await this.throttle.count(EMAILS, email)) > EMAILS.events) return;
    await this.links.send('recover', { personId: person.id, email });
  }
}

/** Replaces the person's recovery codes. Returns the new ones, which are stored hashed and cannot be shown again. */
export async function replaceRecoveryCodes(db: PortalTransaction, personId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode);
  // One request at a time; otherwise two concurrent requests would leave two sets.
  await db.selectFrom('people').select('id').where('id', '=', personId).forUpdate().execute();
  await db.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
  const unused = { person_id: personId, used_at: null, stored_at: null };
  const rows = codes.map((code) => ({ ...unused, code_hash: recoveryCodeDigest(code) }));
  await db.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

/** Sets a password. All sessions and links that were sent end: they may be the reason for the change. */
export async function setPassword(transaction: PortalTransaction, personId: string, passwordHash: string) {
  await transaction.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId).execute();
  await transaction.deleteFrom('sessions').where('person_id', '=', personId).execute();
  await transaction.deleteFrom('email_tokens').where('person_id', '=', personId).execute();
}

/** The stored form: SHA-256 of a code without spaces, dashes and case, with digits for letters that look like them. */
function recoveryCodeDigest(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(plain, 'utf8').digest();
}

/** Makes a code, `xxxxx-xxxxx-xxxxx-xxxxx`: 100 random bits, so that a plain hash suffices. */
function makeCode(): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
