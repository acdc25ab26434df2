import type { Transporter } from 'nodemailer';

/** An e-mail of the service: plain text, to one person. */
export interface Letter {
  /** The address alone, checked before. */
  readonly to: string;
  readonly subject: string;
  /** Lines of plain text. */
  readonly text: string;
}

/** Sends the service's e-mails. */
export interface Mailer {
  /**
   * Connects, encrypts and signs in, as when sending a letter. @throws where the mail server refuses, or does not
   * answer.
   */
  verify(): Promise<void>;
  /** @throws where the server does not take the letter. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

export interface MailerOptions {
  /** `smtp://user:password@host:587` for STARTTLS, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** The sender, `name@example.com` or `Name <name@example.com>`. */
  readonly from: string;
}

/** A server that does not answer must not hold letters for minutes, as the library's defaults would. */
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
 * Whether letters, and the password, may only go encrypted: to any other machine, unless the URL says otherwise by
 * `?requireTLS=false`. An attacker on the way could remove the server's offer to encrypt.
 */
function mustEncrypt(address: string): boolean {
  const { hostname, searchParams } = new URL(address);
  return searchParams.get('requireTLS') !== 'false' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** The library is loaded only where the service sends e-mails. */
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
      // A letter consists of our own text. Nothing in it may name a file or an address to read from.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}
