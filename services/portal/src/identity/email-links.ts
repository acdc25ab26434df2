import type { Logger } from '@paper/runtime';
import type { Site } from '../base/site.ts';
import type { PortalDatabase, PortalTransaction } from '../base/database.ts';
import { inMs, NOW } from '../base/database-time.ts';
import { alreadyUsedEmail, changedEmail, LINK_MINUTES, linkEmail } from './emails.ts';
import type { LinkPurpose } from './emails.ts';
import type { Mailer } from './mailer.ts';
import { hashToken, newToken } from '../base/tokens.ts';

type OpenedLink = Readonly<Record<'personId' | 'email', string>>;

/**
 * Links in e-mails: single use, 30 minutes, stored hashed. The token stands after `#`, which browsers send to no
 * server, and the page posts it. So programs that open links to inspect them do not use the links up.
 */
export class EmailLinks {
  constructor(
    private readonly db: PortalDatabase,
    private readonly mailer: Mailer,
    private readonly site: () => Pick<Site, 'origin'>,
    private readonly logger: Logger,
  ) {}

  /** Sends a new link. The person's earlier links for the same purpose end. @throws when the mail server fails. */
  async send(purpose: LinkPurpose, { personId, email }: OpenedLink): Promise<void> {
    const token = newToken();
    await this.db.transaction().execute(async (transaction) => {
      // Only one e-mail at a time, so that two concurrent requests also end each other's earlier links.
      await transaction.selectFrom('people').select('id').where('id', '=', personId).forUpdate().execute();
      await transaction
        .deleteFrom('email_tokens')
        .where((eb) =>
          eb.or([eb('expires_at', '<=', NOW), eb.and([eb('person_id', '=', personId), eb('purpose', '=', purpose)])]),
        )
        .execute();
      const expiresAt = inMs(LINK_MINUTES * 60_000);
      const row = { token_hash: hashToken(token), person_id: personId, purpose, email, expires_at: expiresAt };
      await transaction.insertInto('email_tokens').values(row).execute();
    });
    await this.mailer.send({ to: email, ...linkEmail(purpose, this.site().origin, token) });
  }

  /** Tells the owner of this address that it is in use already. @throws when the mail server fails. */
  async sendAlreadyUsed(email: string): Promise<void> {
    await this.mailer.send({ to: email, ...alreadyUsedEmail(this.site().origin) });
  }

  /** Reports a change to the address that the person had confirmed. A failure of the mail server is only logged. */
  notify(email: string, what: 'password' | 'e-mail address'): void {
    const sent = this.mailer.send({ to: email, ...changedEmail(what, this.site().origin) });
    sent.catch((error: unknown) => this.logger.warn({ err: error }, 'the notice of a change could not be sent'));
  }

  /** The purpose and the person of a valid link; null for any other. The link stays valid. */
  async look(token: string): Promise<(OpenedLink & { readonly purpose: LinkPurpose }) | null> {
    const row = await this.db
      .selectFrom('email_tokens')
      .select(['person_id as personId', 'email', 'purpose'])
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', NOW)
      .executeTakeFirst();
    return row ?? null;
  }
}

/**
 * Uses a link up. Null if it is unknown, used, expired, or for another purpose. The person's row is locked first, as
 * everywhere else that changes a person and their links: in another order two transactions could deadlock.
 */
export async function takeLink(transaction: PortalTransaction, purpose: LinkPurpose, token: string) {
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
    .where('expires_at', '>', NOW)
    .returning(['person_id as personId', 'email'])
    .executeTakeFirst();
  return row ?? null;
}
