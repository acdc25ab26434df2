import { existsSync } from 'node:fs';
import path from 'node:path';
import { rolesSettings } from '@paper/command-api';
import { report, runCommand, showProgress, showWhile } from '@paper/commands';
import { clusterIn, startEmbeddedPostgres } from '@paper/embedded-postgres';
import type { EmbeddedPostgres } from '@paper/embedded-postgres';
import { assertFolderFree, fileSettingOf, FolderInUse, printError, readConfig, withSecretFiles } from '@paper/runtime';
import { byRole, databaseSettingOf } from '@paper/runtime/coordination';
import { reloadCertificate, askRestart, askStatus, hasSettled } from '@paper/supervisor';
import { OPERATOR_TOKEN_FILE } from '../operator-token.ts';
import {
  addOperatorToken,
  dropOldTokens,
  rotateCertificate,
  rotateMcpSecret,
  rotatePasswords,
  rotatePortalSecret,
  STORED_TOKENS,
} from '../rotation.ts';
import type { PortalSecretRotation, Restart } from '../rotation.ts';

/** `npm run rotate` replaces a secret in a file, and restarts the services that read it, if they run on DATA_DIR. */
const dataDir = (): string => path.resolve(process.env['DATA_DIR'] ?? './data');

/** The settings of the database's owner. The URLs of the roles are not read, since the command replaces them. */
const ownerSettings = rolesSettings.pick({ DATABASE_URL: true, JOURNAL_URL: true, SHARD: true });

await runCommand<{ readonly dropOld?: true }>('rotate', {
  passwords: async ({ options }) => {
    const named = byRole((role) => process.env[fileSettingOf(databaseSettingOf(role))] ?? '');
    const files = Object.fromEntries(Object.entries(named).filter(([, file]) => file !== ''));
    if (Object.keys(files).length === 0) {
      throw new Error('No role has a file: set COMMAND_DATABASE_URL_FILE and so on, as for the services.');
    }
    const { DATABASE_URL: connectionString, JOURNAL_URL, SHARD: shard } = readConfig(ownerSettings);
    const owner = { connectionString, journalIsHere: JOURNAL_URL === undefined, shard };
    const rotated = await withProgress('Changing passwords', 'roles', (shown) =>
      rotatePasswords({ owner, files, ...shown }),
    );
    report(options, { rotated }, `New passwords: ${rotated.join(', ')}.`);
  },
  tokens: async ({ args, options }) => {
    const name = String(args[0]);
    const given = process.env[fileSettingOf('OPERATOR_TOKENS')] ?? '';
    const file = given === '' ? ownFile(OPERATOR_TOKEN_FILE, 'OPERATOR_TOKENS') : given;
    const form = given === '' ? STORED_TOKENS : undefined;
    if (options.dropOld === true) {
      const dropped = await dropOldTokens(file, name, restart, form);
      report(options, { dropped }, `Tokens dropped: ${dropped}.`);
      return;
    }
    const token = await addOperatorToken(file, name, restart, form);
    report(options, { name, token }, token);
    printError(`The former token works until: npm run rotate -- tokens ${name} --drop-old`);
  },
  'portal-secret': async ({ options }) => {
    const file = process.env['PORTAL_SECRET_FILE'] || ownFile('portal-secret', 'PORTAL_SECRET');
    const { resealed, unreadable } = await withDatabase((connectionString) =>
      withProgress('Encrypting the keys', 'keys', (shown) => rotatePortalSecret({ connectionString, file, ...shown })),
    );
    const line = `Keys encrypted with the new secret: ${resealed}. Keys that no secret opened: ${unreadable}.`;
    report(options, { resealed, unreadable }, line);
  },
  'mcp-secret': async ({ options }) => {
    const file = process.env['MCP_SECRET_FILE'] || ownFile('mcp-secret', 'MCP_SECRET');
    await rotateMcpSecret(file, restart);
    const line = `A new secret is in ${file}. Orders prepared with the former one can be confirmed until the next rotation.`;
    report(options, { file }, line);
  },
  certificates: async ({ args: [from], options }) => {
    const file = process.env['FRONT_DOOR_CERTIFICATE'] ?? '';
    if (file === '') throw new Error('Set FRONT_DOOR_CERTIFICATE: the file that the front door reads.');
    const { expiresAt, fingerprint256, names } = await rotateCertificate({
      file: path.resolve(file),
      from: from === undefined ? null : path.resolve(String(from)),
      publicUrl: process.env['PUBLIC_URL'] || null,
      serve: serveCertificate,
    });
    const line = `The certificate is for ${names}, until ${expiresAt.toISOString()}. SHA-256 ${fingerprint256}`;
    report(options, { names, expiresAt, fingerprint256 }, line);
  },
});

async function serveCertificate(): Promise<string | null> {
  if ((await askStatus(dataDir()).catch(() => null)) !== null) return reloadCertificate(dataDir());
  printError(
    `No start:services runs on ${dataDir()}. Have the front door read the file now, which needs no stop either: ` +
      '`docker compose kill --signal USR2 front-door`, or `systemctl reload haproxy`.',
  );
  return null;
}

/** Shows the progress of a rotation, except for its restarts, which show their own. */
async function withProgress<T>(
  doing: string,
  unit: string,
  rotate: (shown: Pick<PortalSecretRotation, 'onProgress' | 'restart'>) => Promise<T>,
): Promise<T> {
  const progress = showProgress(unit);
  try {
    return await rotate({
      onProgress: (done, of) => progress.show(doing, done, of),
      restart(services) {
        progress.clear();
        return restart(services);
      },
    });
  } finally {
    progress.clear();
  }
}

async function restart(...[names]: Parameters<Restart>): Promise<void> {
  const running = await askStatus(dataDir()).catch(() => null);
  // A folder with an embedded database belongs to `npm start`, not to a set of services.
  if (running === null && existsSync(clusterIn(dataDir()))) {
    if (!standaloneRuns()) return;
    printError(
      `npm start runs on ${dataDir()} with what it read at its start. Restart it now, so that it takes the new one.`,
    );
    return;
  }
  if (running === null) {
    printError(`No start:services runs on ${dataDir()}. Restart now, one after the other: ${names.join(', ')}.`);
    return;
  }
  const chosen = running.services.filter(({ name }) => names.some((one) => name.replace(/-\d+$/, '') === one));
  const progress = showProgress('processes');
  try {
    for (const [done, { name }] of chosen.entries()) {
      progress.show(`Restarting ${name}`, done, chosen.length);
      const status = await askRestart(dataDir(), name);
      if (!hasSettled(status)) throw new Error(`${name} was restarted and is not ready: npm run services -- status`);
    }
  } finally {
    progress.clear();
  }
}

function ownFile(name: string, setting: string): string {
  const file = path.join(dataDir(), name);
  if (!existsSync(file)) throw new Error(`There is no ${file}: set ${fileSettingOf(setting)}, or DATA_DIR.`);
  return file;
}

function standaloneRuns(): boolean {
  try {
    assertFolderFree(dataDir(), 'standalone.lock');
    return false;
  } catch (error) {
    return error instanceof FolderInUse;
  }
}

/** Works on the database of DATABASE_URL, as its owner; else on the embedded database of a stopped service. */
async function withDatabase<T>(work: (connectionString: string) => Promise<T>): Promise<T> {
  const given = withSecretFiles(process.env, ['DATABASE_URL'])['DATABASE_URL'] ?? '';
  if (given !== '') return work(readConfig(ownerSettings).DATABASE_URL);
  if (standaloneRuns()) {
    throw new Error(`npm start runs on ${dataDir()} and holds this secret: stop it, run this again, and start it.`);
  }
  const starting = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir: dataDir() });
  const postgres = await showWhile(`Starting the database of ${dataDir()}`, starting);
  try {
    return await work(postgres.connectionString);
  } finally {
    await postgres.stop();
  }
}
