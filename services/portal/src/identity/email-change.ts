import { ApiError, Unavailable } from '@paper/contracts';
import type { Logger } from '@paper/runtime';
import type { PortalDatabase, PortalTransaction } from '../base/database.ts';
import { foldName } from './passwords.ts';
import { takeLink } from './email-links.ts';
import type { EmailLinks } from './email-links.ts';
import type { Throttle } from './throttle.ts';

/** The limit of e-mails that a person may have sent to addresses that they name. */
const CHANGES = { kind: 'email-changes', events: 5, minutes: 60, message: 'Too many e-mails' } as const;

/** The limit of e-mails to an address that people sign up with. */
const SIGN_UPS = { kind: 'sign-up letters', events: 5, minutes: 60 } as const;

/** Changes the person's e-mail address, which is stored only after a link sent to it was opened. */
export class EmailChange {
  constructor(
    private readonly db: PortalDatabase,
    private readonly links: EmailLinks,
    private readonly throttle: Throttle,
    private readonly logger: Logger,
  ) {}

  /**
   * Sends a link to the new address, or a notice if another person has confirmed it; the answer does not tell which.
   * @throws ApiError rate_limited; Unavailable when the mail server fails
   */
  async request(personId: string, email: string): Promise<void> {
    await this.throttle.take(CHANGES, personId);
    await this.#send('confirm-email', personId, email);
  }

  /** Sends the link that a sign-up waits for, at most five times in an hour to an address. @throws Unavailable. */
  async confirmSignUp(personId: string, email: string): Promise<void> {
    const folded = foldName(email);
    if ((await this.throttle.count(SIGN_UPS, folded)) > SIGN_UPS.events) return;
    await this.#send('confirm-sign-up', personId, folded);
  }

  async #send(purpose: 'confirm-email' | 'confirm-sign-up', personId: string, email: string): Promise<void> {
    const owner = await this.db.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
    try {
      if (owner === undefined || owner.id === personId) await this.links.send(purpose, { personId, email });
      else await this.links.sendAlreadyUsed(email);
    } catch (error) {
      this.logger.warn({ err: error }, 'a link to confirm an e-mail address could not be sent');
      throw new Unavailable('The e-mail could not be sent now; try again later');
    }
  }

  /**
   * Stores the address of a link, and returns it; null if the link is unknown, used or expired. @throws ApiError
   * validation_failed for a taken address.
   */
  async confirm(token: string): Promise<string | null> {
    const changed = await storingEmail(this.db, async (transaction) => {
      const opened = await takeLink(transaction, 'confirm-email', token);
      if (opened === null) return null;
      const { personId, email } = opened;
      await assertEmailFree(transaction, personId, email);
      const person = transaction.selectFrom('people').select('email').where('id', '=', personId).forUpdate();
      const former = (await person.executeTakeFirstOrThrow()).email;
      await transaction.updateTable('people').set({ email }).where('id', '=', personId).execute();
      return { email, former };
    });
    if (changed === null) return null;
    if (changed.former !== null && changed.former !== changed.email) {
      this.links.notify(changed.former, 'e-mail address');
    }
    return changed.email;
  }
}

/** @throws ApiError validation_failed if another person has confirmed this address. */
export async function assertEmailFree(transaction: PortalTransaction, personId: string, email: string): Promise<void> {
  const owners = transaction.selectFrom('people').select('id').where('email', '=', email);
  if ((await owners.where('id', '<>', personId).execute()).length > 0) throw emailInUse();
}

/**
 * Runs a transaction that stores a confirmed address. @throws ApiError validation_failed also when another person
 * confirms it at the same moment, which only the table's own constraint detects. The link stays unused then.
 */
export async function storingEmail<T>(db: PortalDatabase, work: (transaction: PortalTransaction) => Promise<T>) {
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    const { constraint } = error as { readonly constraint?: unknown };
    throw constraint === 'people_email_key' ? emailInUse() : error;
  }
}

function emailInUse(): ApiError {
  return new ApiError('validation_failed', 'validation failure: email: another account has confirmed this address');
}
