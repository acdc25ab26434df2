import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The stored form: version, id of the secret, nonce, tag, then the encrypted text. */
const VERSION = 1;
const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + ID_BYTES + NONCE_BYTES + TAG_BYTES;

type Secret = Readonly<Record<'id' | 'key', Buffer>>;

/** A stored text cannot be decrypted: its secret is not given, it belongs to another row, or it was changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/**
 * Encrypts texts for the database by AES-256-GCM, with a key derived from PORTAL_SECRET and a random nonce. A text can
 * be decrypted only in its own row.
 */
export class Vault {
  readonly #current: Secret;
  readonly #secrets: readonly Secret[];
  readonly #digestKey: Buffer;

  /** @param secrets the first encrypts, all decrypt. @throws RangeError if there is none. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.map((secret) => ({ id: derive(secret, 'id', ID_BYTES), key: derive(secret, 'keys', 32) }));
    const [current] = this.#secrets;
    const [newest] = secrets;
    if (current === undefined || newest === undefined) throw new RangeError('a vault needs a secret');
    this.#current = current;
    this.#digestKey = derive(newest, 'digests', 32);
  }

  seal(text: string, ...belongsTo: readonly string[]): Buffer {
    const { id, key } = this.#current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(additionalData(id, belongsTo));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Decrypts a text. @throws SealBroken. */
  open(sealed: Buffer, ...belongsTo: readonly string[]): string {
    const secret = this.#secretOf(sealed);
    if (secret === undefined) throw new SealBroken('a stored text is encrypted with a secret that is not given');
    const nonceAt = 1 + ID_BYTES;
    const nonce = sealed.subarray(nonceAt, nonceAt + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', secret.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(secret.id, belongsTo));
    decipher.setAuthTag(sealed.subarray(nonceAt + NONCE_BYTES, HEAD_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
    } catch (error) {
      throw new SealBroken('a stored text was changed, or belongs to something else', { cause: error });
    }
  }

  isCurrent(sealed: Buffer): boolean {
    return this.#secretOf(sealed) === this.#current;
  }

  /** A keyed digest of values that are only compared, such as addresses. */
  digest(text: string): Buffer {
    return createHmac('sha256', this.#digestKey).update(text, 'utf8').digest();
  }

  #secretOf(sealed: Buffer): Secret | undefined {
    if (sealed[0] !== VERSION || sealed.length < HEAD_BYTES) return undefined;
    const id = sealed.subarray(1, 1 + ID_BYTES);
    return this.#secrets.find((one) => one.id.equals(id));
  }
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `paper portal ${purpose}`, bytes));
}

/** The parts as JSON, which keeps them apart whatever they contain. */
function additionalData(id: Buffer, belongsTo: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([VERSION, id.toString('hex'), ...belongsTo]));
}
