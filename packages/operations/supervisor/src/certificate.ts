import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';

/** A certificate, its chain and its key as PEM, with the host names, expiry and fingerprint of the certificate. */
export type Certificate = ReturnType<typeof readCertificate>;

/** Reads a certificate and its key from one file. @throws Error when one is missing, or the key is another one's. */
export function readCertificate(file: string) {
  const pem = readFileSync(file, 'utf8');
  const certificate = parsed(file, 'certificate', () => new X509Certificate(pem));
  const key = parsed(file, 'private key', () => createPrivateKey(pem));
  if (!certificate.checkPrivateKey(key)) throw new Error(`${file}: the key is not that of the first certificate.`);
  const { fingerprint256, subject, subjectAltName: names = subject, validTo } = certificate;
  const lines = pem.split(/\r?\n/).filter((line) => line.trim() !== '');
  return { pem: `${lines.join('\n')}\n`, fingerprint256, names, expiresAt: new Date(validTo) };
}

/** A warning about an expired certificate of the front door; null if it is valid. `now`: ms since 1970 UTC. */
export function expiryWarning(file: string, now: number): string | null {
  const { expiresAt } = readCertificate(file);
  if (expiresAt.getTime() > now) return null;
  return `${file}: the certificate expired at ${expiresAt.toISOString()}, so clients refuse it. Replace it: npm run rotate -- certificates FILE`;
}

/**
 * Reads a certificate that is about to be served for this host; null: for any.
 * @throws Error as `readCertificate`, and when it has expired or is not valid for the host.
 */
export function readNewCertificate(file: string, host: string | null): Certificate {
  const certificate = readCertificate(file);
  const { expiresAt, names, pem } = certificate;
  if (expiresAt.getTime() <= Date.now()) {
    throw new Error(`${file}: the certificate expired at ${expiresAt.toISOString()}.`);
  }
  if (host !== null && !isFor(new X509Certificate(pem), host)) {
    throw new Error(`${file}: the certificate is for ${names}, and PUBLIC_URL has ${host}.`);
  }
  return certificate;
}

function parsed<T>(file: string, part: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${file} has no ${part} that can be read: it needs the certificate, its chain and its key (PEM).`, {
      cause: error,
    });
  }
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return (isIP(address) === 0 ? certificate.checkHost(host) : certificate.checkIP(address)) !== undefined;
}

/**
 * Replaces a certificate in a running HAProxy by its socket for commands (level `admin`).
 * @throws Error with HAProxy's answer if it refuses; it then keeps the former certificate.
 */
export async function replaceCertificate(socket: string, file: string, { pem }: Certificate): Promise<void> {
  const name = file.replace(/[\\ ]/g, '\\$&');
  await command(socket, `set ssl cert ${name} <<\n${pem}\n`, /^Transaction (created|updated)/);
  try {
    await command(socket, `commit ssl cert ${name}\n`, /^Success!$/m);
  } catch (error) {
    await command(socket, `abort ssl cert ${name}\n`, /^/);
    throw error;
  }
}

async function command(socketPath: string, line: string, expected: RegExp): Promise<void> {
  const socket = connect(socketPath);
  socket.write(line);
  const answer = (await text(socket)).trim();
  if (!expected.test(answer)) throw new Error(`haproxy does not take the certificate: ${answer}`);
}

/** The certificate that a server presents to a new connection. */
export async function servedFingerprint(at: { readonly host: string; readonly port: number }): Promise<string> {
  // The signing authority does not matter here: the certificate is compared by its fingerprint.
  const socket = connectTls({ ...at, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}
