import { existsSync } from 'node:fs';
import path from 'node:path';
import { rolesSettings } from '@paper/command-api';
import { report, runCommand, showWhile } from '@paper/commands';
import { fileSettingOf, printError, readConfig } from '@paper/runtime';
import { reloadCertificate, askRestart, askStatus, hasSettled } from '@paper/supervisor';
import {
  addOperatorToken,
  dropOldTokens,
  rotateCertificate,
  rotatePasswords,
  rotatePortalSecret,
} from '../rotation.ts';
import type { Restart } from '../rotation.ts';

/**
 * `npm run rotate` replaces a secret that is in a file, and restarts the services that read it one after the other:
 * those of the `npm run start:services` that runs on DATA_DIR. Exit code 2: it was not possible, with the reason on
 * standard error.
 */
const dataDir = (): string => path.resolve(process.env['DATA_DIR'] ?? './data');

/** The roles' own URLs are what it replaces. */
const ownerSettings = rolesSettings.pick({ DATABASE_URL: true, JOURNAL_URL: true, SHARD: true });

await runCommand<{ readonly dropOld?: true }>('rotate', {
  passwords: async ({ options }) => {
    const files = Object.fromEntries(
      (['command', 'projector', 'reader', 'portal'] as const).flatMap((role) => {
        const file = process.env[fileSettingOf(`${role.toUpperCase()}_DATABASE_URL`)] ?? '';
        return file === '' ? [] : [[role, file]];
      }),
    );
    if (Object.keys(files).length === 0) {
      throw new Error('No role has a file: set COMMAND_DATABASE_URL_FILE and so on, as for the services.');
    }
    const { DATABASE_URL: connectionString, JOURNAL_URL, SHARD: shard } = readConfig(ownerSettings);
    const owner = { connectionString, journalIsHere: JOURNAL_URL === undefined, shard };
    const rotated = await rotatePasswords({ owner, files, restart });
    report(options, { rotated }, `New passwords: ${rotated.join(', ')}.`);
  },
  tokens: async ({ args, options }) => {
    const [file, name] = [fileOf('OPERATOR_TOKENS'), String(args[0])];
    if (options.dropOld === true) {
      const dropped = await dropOldTokens(file, name, restart);
      report(options, { dropped }, `Tokens dropped: ${dropped}.`);
      return;
    }
    const token = await addOperatorToken(file, name, restart);
    report(options, { name, token }, token);
    printError(`The former token works until: npm run rotate -- tokens ${name} --drop-old`);
  },
  'portal-secret': async ({ options }) => {
    const file = process.env['PORTAL_SECRET_FILE'] || path.join(dataDir(), 'portal-secret');
    if (!existsSync(file)) throw new Error(`There is no ${file}: set PORTAL_SECRET_FILE, or DATA_DIR.`);
    const { DATABASE_URL: connectionString } = readConfig(ownerSettings);
    const { resealed, unreadable } = await rotatePortalSecret({ connectionString, file, restart });
    const line = `Keys encrypted with the new secret: ${resealed}. Keys that no secret opened: ${unreadable}.`;
    report(options, { resealed, unreadable }, line);
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

/** Has the front door on DATA_DIR reload its certificate; returns instructions where it runs elsewhere. */
async function serveCertificate(): Promise<string | null> {
  if ((await askStatus(dataDir()).catch(() => null)) !== null) return reloadCertificate(dataDir());
  printError(
    `No start:services runs on ${dataDir()}. Have the front door read the file now, which needs no stop either: ` +
      '`docker compose kill --signal USR2 front-door`, or `systemctl reload haproxy`.',
  );
  return null;
}

/** Restarts the services of the set on DATA_DIR; names them where none runs here. */
async function restart(...[names]: Parameters<Restart>): Promise<void> {
  const running = await askStatus(dataDir()).catch(() => null);
  if (running === null) {
    printError(`No start:services runs on ${dataDir()}. Restart now, one after the other: ${names.join(', ')}.`);
    return;
  }
  for (const { name } of running.services) {
    if (!names.some((service) => name.replace(/-\d+$/, '') === service)) continue;
    const status = await showWhile(`Restarting ${name}`, () => askRestart(dataDir(), name));
    if (!hasSettled(status)) throw new Error(`${name} was restarted and is not ready: npm run services -- status`);
  }
}

function fileOf(setting: string): string {
  const file = process.env[fileSettingOf(setting)] ?? '';
  if (file === '') throw new Error(`Set ${fileSettingOf(setting)}: only a secret in a file can be replaced.`);
  return file;
}
