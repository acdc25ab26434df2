import type { Transporter } from 'nodemailer';

/** An e-mail of the service: plain text, to one person. */
export interface Letter {
  /** The address only, which was already checked. */
  readonly to: string;
  readonly subject: string;
  /** Lines of plain text. */
  readonly text: string;
}

/** Sends the service's e-mails. */
export interface Mailer {
  /**
   * Connects, encrypts and signs in, as for sending a letter. @throws when the mail server refuses, or does not answer.
   */
  verify(): Promise<void>;
  /** Sends the letter. @throws when the server does not accept it. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

export interface MailerOptions {
  /** The server: `smtp://user:password@host:587` for STARTTLS, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** The sender, `name@example.com` or `Name <name@example.com>`. */
  readonly from: string;
}

/** The time limits. With the library's defaults, a server that does not answer would hold letters for minutes. */
const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;
const CONNECTIONS_MAX = 2;

/** Creates a sender over SMTP. It connects with the first letter. */
export function createMailer({ url, from }: MailerOptions): Mailer {
  const transport = openTransport(url, from);
  return {
    async verify() {
      await (await transport).verify();
    },
    async send({ to, subject, text }) {
      // An address object, so that a comma in a quoted name cannot add a second recipient.
      await (await transport).sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => void transport.then((opened) => opened.close()),
  };
}

/**
 * Whether letters, and the password, must be sent encrypted: to any other machine, unless the URL has
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
      // A letter consists only of our own text, so nothing in it may name a file or an address to read from.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}
