import type { Logger } from '@paper/runtime';
import type { Transporter } from 'nodemailer';
import type { PortalDatabase } from '../base/database.ts';

/** An e-mail of the service: plain text, to one checked address. */
export type Email = Readonly<Record<'to' | 'subject' | 'text', string>>;

export type Mailer = ReturnType<typeof createMailer>;

/** With the library's defaults, a server that does not answer would delay e-mails for minutes. */
const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;
const CONNECTIONS_MAX = 2;

/** Creates a sender over SMTP (`smtp://` for STARTTLS, `smtps://` for TLS), which connects with the first e-mail. */
export function createMailer({ url, from }: Readonly<Record<'url' | 'from', string>>) {
  const transport = openTransport(url, from);
  // An error of the opening is thrown in `verify` and `send`, which await it.
  transport.catch(() => undefined);
  return {
    /** Connects, encrypts and signs in, as for sending. @throws when the mail server refuses, or does not answer. */
    async verify(): Promise<void> {
      await (await transport).verify();
    },
    /** @throws when the server does not accept the e-mail. */
    async send({ to, subject, text }: Email): Promise<void> {
      // An address object, so that a comma in a quoted name cannot add a second recipient.
      await (await transport).sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => void transport.then((opened) => opened.close()).catch(() => undefined),
  };
}

/**
 * True if e-mails, and the password, must be sent encrypted: to any other machine, unless the URL has
 * `?requireTLS=false`. Otherwise an attacker on the way could remove the server's offer to encrypt.
 */
function mustEncrypt(address: string): boolean {
  const { hostname, searchParams } = new URL(address);
  return searchParams.get('requireTLS') !== 'false' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** The library is loaded only if the service sends e-mails. */
async function openTransport(url: string, from: string): Promise<Pick<Transporter, 'verify' | 'sendMail' | 'close'>> {
  const { default: nodemailer } = await import('nodemailer');
  return nodemailer.createTransport(
    {
      url,
      pool: true,
      requireTLS: mustEncrypt(url),
      maxConnections: CONNECTIONS_MAX,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      // An e-mail consists only of our own text, so nothing in it may name a file or an address to read from.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}

/** Checks whether e-mail can be sent, and stores the result for the API's health (the view `portal.mail`). */
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
