import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eventually } from '@paper/testkit';
import { SMTPServer } from 'smtp-server';

export interface ReceivedLetter {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The text as the reader sees it. */
  readonly text: string;
}

/** A mail server on a free port, that takes letters from one user with a password. */
export interface Mailbox {
  /** The setting SMTP_URL. */
  readonly url: string;
  readonly letters: readonly ReceivedLetter[];
  /** The newest letter to this address, when it has come. `after`: letters to pass over, by their number. */
  letterTo(address: string, after?: number): Promise<ReceivedLetter>;
  close(): Promise<void>;
}

const PASSWORD = 'of-the-mailbox';

/** Starts the server. */
export async function startMailbox(): Promise<Mailbox> {
  const letters: ReceivedLetter[] = [];
  const server = new SMTPServer({
    // The library would make a certificate of its own, which no client trusts.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      if (auth.username === 'portal' && auth.password === PASSWORD) done(null, { user: 'portal' });
      else done(new Error('wrong user or password'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        letters.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...readLetter(Buffer.concat(chunks).toString('utf8')),
        });
        done();
      });
    },
  });
  // A client that breaks off is no error of the server's.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://portal:${PASSWORD}@127.0.0.1:${port}`,
    letters,
    async letterTo(address, after = 0) {
      let found: ReceivedLetter | undefined;
      await eventually(`a letter to ${address}`, () => {
        found = letters.slice(after).findLast(({ to }) => to.includes(address));
        return found !== undefined;
      });
      return found as unknown as ReceivedLetter;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Reads a letter of one part, as plain, quoted-printable or base64 text. */
function readLetter(raw: string): { readonly subject: string; readonly text: string } {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]/g, ' ');
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const body = raw.slice(end + 4);
  const text = { base64: fromBase64, 'quoted-printable': fromQuotedPrintable }[
    header('content-transfer-encoding').toLowerCase()
  ];
  return { subject: header('subject'), text: (text?.(body) ?? body).replaceAll('\r\n', '\n') };
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
