import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { readPrivateFile } from '@paper/runtime';
import { BackupError } from './backup-error.ts';

/** A transformation of a stream of bytes. */
export type ByteStep = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/**
 * The keys of `age` (https://age-encryption.org) in BACKUP_KEY_FILE, one a line: `age1…` makes backups,
 * `AGE-SECRET-KEY-1…` reads them too.
 */
export interface BackupKeys {
  readonly file: string;
  readonly recipients: readonly string[];
  readonly identities: readonly string[];
}

/**
 * Reads BACKUP_KEY_FILE.
 * @throws BackupError without readable keys of `age`; ConfigError when others on the machine can read a secret key.
 */
export async function readKeyFile(file: string): Promise<BackupKeys> {
  const lines = readText(file)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  const recipients = lines.filter((line) => line.startsWith('age1'));
  if (lines.length === 0 || identities.length + recipients.length < lines.length) {
    throw new BackupError(
      `BACKUP_KEY_FILE: ${file} must have keys of age alone, one a line: age1… or AGE-SECRET-KEY-1…. ` +
        'Make one: npm run backup -- --new-key FILE',
    );
  }
  // A file with only public keys may be readable by all.
  if (identities.length > 0) readPrivateFile(file);
  try {
    const own = await Promise.all(identities.map((identity) => identityToRecipient(identity)));
    const keys = { file, identities, recipients: [...new Set([...recipients, ...own])] };
    encrypter(keys);
    return keys;
  } catch {
    // The library's message may quote the key.
    throw new BackupError(`BACKUP_KEY_FILE: ${file} has a key that is mistyped or cut off.`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new BackupError(`BACKUP_KEY_FILE: ${file} cannot be read (${reason}).`);
  }
}

/**
 * Writes a new key to a new file, in the form of `age-keygen`; returns its public key. @throws BackupError if it
 * exists.
 */
export async function writeNewKey(file: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  try {
    await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupError(`${file} exists, and may be the key of backups: name another file.`);
  }
  return recipient;
}

/** Files that are encrypted to the same public keys can be in one backup. */
export const recipientsDigest = ({ recipients }: BackupKeys) => hash('sha256', recipients.toSorted().join('\n'), 'hex');

export function encrypting(keys: BackupKeys): ByteStep {
  return async function* (source) {
    yield* await encrypter(keys).encrypt(ReadableStream.from(source));
  };
}

/** Decrypts a stream; `name` is for messages. @throws BackupError when no key fits, or the bytes were changed. */
export function decrypting(keys: BackupKeys, name: string): ByteStep {
  return async function* (source) {
    const decrypter = new Decrypter();
    for (const identity of keys.identities) decrypter.addIdentity(identity);
    let decrypted: AsyncIterable<Uint8Array>;
    try {
      decrypted = await decrypter.decrypt(ReadableStream.from(source));
    } catch (error) {
      const isForeign = error instanceof Error && error.message.includes('no identity matched');
      throw new BackupError(
        isForeign
          ? `${name} is encrypted for another key than those of ${keys.file}.`
          : `${name} cannot be decrypted: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
    yield* decrypted;
  };
}

function encrypter(keys: BackupKeys): Encrypter {
  const one = new Encrypter();
  for (const recipient of keys.recipients) one.addRecipient(recipient);
  return one;
}
