import { readFileSync, renameSync } from 'node:fs';
import { connectionStringsOf, freshPasswords, prepareRoles } from '@paper/command-api';
import type { RolesOptions } from '@paper/command-api';
import { formatOperatorTokens, parseOperatorTokens } from '@paper/http';
import type { OperatorToken } from '@paper/http';
import { randomSecret, writePrivateFile, configuredSecrets } from '@paper/runtime';
import { DATABASE_ROLES } from '@paper/runtime/coordination';
import type { DatabaseRole } from '@paper/runtime/coordination';
import { connectPortal, resealKeys } from '@paper/portal';
import type { ResealedKeys } from '@paper/portal';
import { readNewCertificate, ROLES_OF, SERVICE_NAMES } from '@paper/supervisor';
import type { Certificate, ServiceName } from '@paper/supervisor';
import { formatStoredTokens, parseStoredTokens } from './operator-token.ts';

/** Restarts every process of these services, one after the other. Resolves when each is ready or stands by. */
export type Restart = (services: readonly ServiceName[]) => Promise<void>;

/** The services that read the operators' tokens. */
const KNOW_TOKENS: readonly ServiceName[] = ['command-api', 'query-api', 'stream-gateway'];

interface PasswordRotation {
  readonly owner: RolesOptions;
  /** The file of each role's connection string: `COMMAND_DATABASE_URL_FILE` and so on. */
  readonly files: Readonly<Partial<Record<DatabaseRole, string>>>;
  readonly restart: Restart;
  readonly onProgress: (done: number, of: number) => void;
}

/** Gives each role that has a file a new password, and restarts its services, one after the other. */
export async function rotatePasswords(rotation: PasswordRotation): Promise<readonly DatabaseRole[]> {
  const { files, onProgress, owner, restart } = rotation;
  const passwords = freshPasswords();
  const urls = connectionStringsOf(owner.connectionString, passwords);
  const rotated: DatabaseRole[] = [];
  for (const role of Object.keys(DATABASE_ROLES) as DatabaseRole[]) {
    const file = files[role];
    if (file === undefined) continue;
    // The file is written before the password changes, so that a full disk changes nothing.
    const draft = `${file}.new`;
    writePrivateFile(draft, `${urlWithin(file, urls[role])}\n`);
    onProgress(rotated.length, Object.keys(files).length);
    await prepareRoles(owner, { [role]: passwords[role] });
    renameSync(draft, file);
    await restart(SERVICE_NAMES.filter((name) => ROLES_OF[name].includes(role)));
    rotated.push(role);
  }
  return rotated;
}

/** The file's own address with the new password, since it may name another host or options. */
function urlWithin(file: string, fresh: string): string {
  const url = new URL(readFileSync(file, 'utf8').trim());
  url.password = new URL(fresh).password;
  return url.href;
}

interface TokenForm {
  readonly parse: (text: string) => OperatorToken[];
  readonly format: (tokens: readonly OperatorToken[]) => string;
}

const NAMED_TOKENS: TokenForm = { parse: parseOperatorTokens, format: formatOperatorTokens };

/** The form of `operator-token` in a data folder: all tokens belong to one operator. */
export const STORED_TOKENS: TokenForm = { parse: parseStoredTokens, format: formatStoredTokens };

/** Adds a new token in front of the present ones, and returns it. Throws Error when no operator has this name. */
export async function addOperatorToken(file: string, name: string, restart: Restart, { format, parse } = NAMED_TOKENS) {
  const tokens = parse(readFileSync(file, 'utf8').trim());
  const present = tokens.find((one) => one.name === name);
  if (present === undefined) throw new Error(`${file} has no operator ${name}, but ${namesIn(tokens)}.`);
  const token = `op_${randomSecret()}`;
  writePrivateFile(file, `${format([{ ...present, token }, ...tokens])}\n`);
  await restart(KNOW_TOKENS);
  return token;
}

/** Drops all tokens of an operator except the newest; returns their number. Throws Error when there is no older one. */
export async function dropOldTokens(file: string, name: string, restart: Restart, { format, parse } = NAMED_TOKENS) {
  const tokens = parse(readFileSync(file, 'utf8').trim());
  const [newest, ...older] = tokens.filter((one) => one.name === name);
  if (newest === undefined) throw new Error(`${file} has no operator ${name}, but ${namesIn(tokens)}.`);
  if (older.length === 0) throw new Error(`${name} has one token: there is no older one to drop.`);
  writePrivateFile(file, `${format(tokens.filter((one) => !older.includes(one)))}\n`);
  await restart(KNOW_TOKENS);
  return older.length;
}

function namesIn(tokens: readonly { readonly name: string }[]): string {
  return [...new Set(tokens.map(({ name }) => name))].join(', ');
}

export interface PortalSecretRotation {
  /** The file of the secret: PORTAL_SECRET_FILE, or `portal-secret` in DATA_DIR. */
  readonly file: string;
  readonly connectionString: string;
  readonly restart: Restart;
  readonly onProgress: Parameters<typeof resealKeys>[2];
}

/** Replaces the secret that encrypts stored keys: each portal gets both, then keys are encrypted anew. Repeatable. */
export async function rotatePortalSecret(rotation: PortalSecretRotation): Promise<ResealedKeys> {
  const { connectionString, file, onProgress, restart } = rotation;
  const [present = '', older] = configuredSecrets('PORTAL_SECRET', readFileSync(file, 'utf8').trim()) ?? [];
  // If there are two, an interrupted rotation is finished.
  const secrets = older === undefined ? [randomSecret(), present] : [present, older];
  writePrivateFile(file, `${secrets.join(',')}\n`);
  await restart(['portal']);
  const db = connectPortal(connectionString, () => undefined);
  try {
    const resealed = await resealKeys(db, secrets, onProgress);
    writePrivateFile(file, `${secrets[0]}\n`);
    await restart(['portal']);
    return resealed;
  } finally {
    await db.destroy();
  }
}

/** Replaces the secret that signs prepared orders. The former one stays until the next rotation. */
export async function rotateMcpSecret(file: string, restart: Restart): Promise<void> {
  const [present = ''] = configuredSecrets('MCP_SECRET', readFileSync(file, 'utf8').trim()) ?? [];
  writePrivateFile(file, `${randomSecret()},${present}\n`);
  await restart(['mcp']);
}

interface CertificateRotation {
  /** The file that the front door reads: FRONT_DOOR_CERTIFICATE. */
  readonly file: string;
  /** A file with the new certificate, its chain and its key; null if it is already in `file`. */
  readonly from: string | null;
  /** The address that people use; null if it is unknown. */
  readonly publicUrl: string | null;
  /** Makes the front door read the file again; resolves to its fingerprint, or null if none runs here. */
  readonly serve: () => Promise<string | null>;
}

/** Replaces the front door's certificate. Throws Error, before any change, when it cannot be served or has expired. */
export async function rotateCertificate({ file, from, publicUrl, serve }: CertificateRotation): Promise<Certificate> {
  const host = publicUrl === null ? null : new URL(publicUrl).hostname;
  const certificate = readNewCertificate(from ?? file, host);
  if (from !== null) writePrivateFile(file, certificate.pem);
  const served = await serve();
  if (served !== null && served !== certificate.fingerprint256) {
    throw new Error(`The front door serves another certificate than ${file} has: is it this FRONT_DOOR_CERTIFICATE?`);
  }
  return certificate;
}
