import type { Logger } from '@paper/runtime';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Site } from '../base/site.ts';
import type { PortalDatabase } from '../base/database.ts';
import { inMs } from '../base/database-time.ts';
import { letters, LINK_MINUTES } from './letters.ts';
import type { Letter, Mailer } from './mailer.ts';
import type { EmailTokensTable, PortalTables } from '../base/schema.ts';
import { hashToken, newToken } from '../base/tokens.ts';

export type LinkPurpose = EmailTokensTable['purpose'];

/** The person to whom a link was sent, and the address. */
export interface OpenedLink {
  readonly personId: string;
  readonly email: string;
}

/** The letter of each purpose, and the page that its link opens. */
const LINKS: Readonly<
  Record<LinkPurpose, { readonly page: string; readonly letter: (link: string) => Omit<Letter, 'to'> }>
> = {
  'confirm-sign-up': { page: '/confirm', letter: letters.confirmSignUp },
  'confirm-email': { page: '/confirm', letter: letters.confirmChange },
  recover: { page: '/recover', letter: letters.recover },
};

/**
 * Links in e-mails: single use, 30 minutes, stored hashed. The token stands after `#`, which browsers send to no
 * server, and the page posts it. So programs that open links to inspect them do not use the links up.
 */
export class EmailLinks {
  constructor(
    private readonly db: PortalDatabase,
    private readonly mailer: Mailer,
    private readonly site: () => Pick<Site, 'publicUrl'>,
    private readonly logger: Logger,
  ) {}

  /** Sends a new link. The person's earlier links for the same purpose end. @throws when the mail server fails. */
  async send(purpose: LinkPurpose, { personId, email }: OpenedLink): Promise<void> {
    const token = newToken();
    await this.db.transaction().execute(async (transaction) => {
      // Only one letter at a time, so that two concurrent requests also end each other's earlier links.
      await transaction.selectFrom('people').select('id').where('id', '=', personId).forUpdate().execute();
      await transaction
        .deleteFrom('email_tokens')
        .where((eb) =>
          eb.or([
            eb('expires_at', '<=', sql<Date>`now()`),
            eb.and([eb('person_id', '=', personId), eb('purpose', '=', purpose)]),
          ]),
        )
        .execute();
      await transaction
        .insertInto('email_tokens')
        .values({
          token_hash: hashToken(token),
          person_id: personId,
          purpose,
          email,
          expires_at: inMs(LINK_MINUTES * 60_000),
        })
        .execute();
    });
    const { letter, page } = LINKS[purpose];
    await this.mailer.send({ to: email, ...letter(`${this.site().publicUrl}${page}#${token}`) });
  }

  /** Sends the owner of this address a letter that it is already in use. @throws when the mail server fails. */
  async sendAlreadyUsed(email: string): Promise<void> {
    const { publicUrl } = this.site();
    await this.mailer.send({ to: email, ...letters.alreadyUsed(`${publicUrl}/sign-in`, `${publicUrl}/recover`) });
  }

  /** Reports a change to the address that the person had confirmed. A failure of the mail server is only logged. */
  notify(email: string, what: 'password' | 'e-mail address'): void {
    this.mailer
      .send({ to: email, ...letters.changed(what, `${this.site().publicUrl}/recover`) })
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the notice of a change could not be sent');
      });
  }

  /** The purpose and the person of a valid link; null for any other. The link stays valid. */
  async look(token: string): Promise<(OpenedLink & { readonly purpose: LinkPurpose }) | null> {
    const row = await this.db
      .selectFrom('email_tokens')
      .select(['person_id', 'email', 'purpose'])
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    return row === undefined ? null : { personId: row.person_id, email: row.email, purpose: row.purpose };
  }
}

/**
 * Uses a link up. Null if it is unknown, used, expired, or for another purpose. The person's row is locked first, as
 * everywhere else that changes a person and their links: in another order two transactions could deadlock.
 */
export async function takeLink(
  transaction: Transaction<PortalTables>,
  purpose: LinkPurpose,
  token: string,
): Promise<OpenedLink | null> {
  await transaction
    .selectFrom('people')
    .select('id')
    .where('id', 'in', (links) =>
      links.selectFrom('email_tokens').select('person_id').where('token_hash', '=', hashToken(token)),
    )
    .forUpdate()
    .execute();
  const row = await transaction
    .deleteFrom('email_tokens')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['person_id', 'email'])
    .executeTakeFirst();
  return row === undefined ? null : { personId: row.person_id, email: row.email };
}
