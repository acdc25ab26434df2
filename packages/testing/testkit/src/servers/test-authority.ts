import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface CertificateRequest {
  /** The name of the certificate's files, and the default of its common name. */
  readonly name: string;
  readonly commonName?: string;
  /** The host names of the certificate. Default: this machine. */
  readonly names?: readonly string[];
}

/** A certificate authority for tests, which needs `openssl` on PATH. */
export class TestAuthority {
  readonly trusted: string;
  readonly caFile: string;

  /** Creates its files in a folder, which the test removes. */
  constructor(private readonly folder: string) {
    this.trusted = path.join(folder, 'trusted');
    this.caFile = path.join(this.trusted, 'ca.crt');
    mkdirSync(this.trusted);
    openssl(
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=paper-test-ca'],
      ...['-keyout', this.#at('ca.key'), '-out', this.caFile],
      ...['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
    );
  }

  /** Issues a certificate for servers and clients, valid for two days; returns its file and its key's (PEM). */
  issue({ name, commonName = name, names = ['IP:127.0.0.1', 'DNS:localhost'] }: CertificateRequest) {
    const [certificate, key] = [this.#at(`${name}.crt`), this.#at(`${name}.key`)];
    const [csr, extensions] = [this.#at(`${name}.csr`), this.#at(`${name}.ext`)];
    openssl(
      ...['req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${commonName}`],
      ...['-keyout', key, '-out', csr],
    );
    writeFileSync(
      extensions,
      [
        `subjectAltName=${names.join(',')}`,
        'keyUsage=critical,digitalSignature,keyEncipherment',
        'extendedKeyUsage=serverAuth,clientAuth',
        'basicConstraints=CA:FALSE',
      ].join('\n'),
    );
    openssl(
      ...['x509', '-req', '-in', csr, '-CA', this.caFile, '-CAkey', this.#at('ca.key'), '-CAcreateserial'],
      ...['-days', '2', '-extfile', extensions, '-out', certificate],
    );
    return { certificate, key };
  }

  #at(name: string): string {
    return path.join(this.folder, name);
  }
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}
