import type { Logger } from '@paper/runtime';
import type { PortalDatabase } from '../base/database.ts';
import type { Mailer } from './mailer.ts';

/**
 * Checks whether e-mail can be sent, and stores the result for the API's health (the view `portal.mail`).
 * @param mailer null if the portal has no mail server.
 * @throws when the database fails.
 */
export async function noteMailStatus(db: PortalDatabase, mailer: Mailer | null, logger: Logger): Promise<void> {
  const configured = mailer !== null && (await isUsable(mailer, logger));
  await db
    .insertInto('mail_settings')
    .values({ configured })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ configured }))
    .execute();
}

async function isUsable(mailer: Mailer, logger: Logger): Promise<boolean> {
  try {
    await mailer.verify();
    return true;
  } catch (error) {
    logger.warn({ err: error }, 'the mail server of SMTP_URL does not accept e-mails: check its address and password');
    return false;
  }
}
