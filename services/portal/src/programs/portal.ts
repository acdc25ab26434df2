import { DAY_MS } from '@paper/contracts/units';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { runningPostgres } from '@paper/embedded-postgres';
import { report, runCommand, showWhile } from '@paper/commands';
import { printError, withSecretFiles } from '@paper/runtime';
import { connectPortal } from '../base/database.ts';
import type { PortalDatabase } from '../base/database.ts';
import { listInvites, makeInvite, revokeInvite } from '../identity/invites.ts';

/**
 * `npm run portal -- invite`, `invites`, `revoke ID`: in the database of DATABASE_URL, or of the service on DATA_DIR.
 */

type InviteOptions = Readonly<{ uses: number; days: number; by?: string; url?: string }>;

await runCommand<InviteOptions>('portal', {
  invite: ({ options }) =>
    withPortal(async (db) => {
      const { by: madeBy = userInfo().username, days, url = publicUrl(), uses } = options;
      const address = new URL('/sign-up', url);
      const expiresAt = new Date(Date.now() + days * DAY_MS);
      const { id, token } = await makeInvite(db, { madeBy, uses, expiresAt });
      address.searchParams.set('invite', token);
      report(options, { id, url: address.href, uses, expiresAt }, address.href);
      const people = uses === 1 ? 'one person' : `${uses} people`;
      printError(
        `For ${people}, for ${days} ${days === 1 ? 'day' : 'days'}. To end it: npm run portal -- revoke ${id}`,
      );
    }),
  invites: ({ options }) =>
    withPortal(async (db) => {
      const invites = await listInvites(db);
      const lines = invites.map(
        ({ expiresAt, id, madeBy, state, uses, usesMax }) =>
          `${id}  ${state.padEnd(7)}  ${uses} of ${usesMax}  until ${expiresAt.toISOString()}  by ${madeBy}`,
      );
      report(options, invites, ...(lines.length === 0 ? ['There are no invites.'] : lines));
    }),
  revoke: ({ args: [id = ''], options }) =>
    withPortal(async (db) => {
      if (!(await revokeInvite(db, String(id)))) {
        printError(`No invite has the id ${id}: npm run portal -- invites`);
        return false;
      }
      report(options, { id, state: 'revoked' }, `The invite ${id} is revoked.`);
      return true;
    }),
});

async function withPortal<T>(work: (db: PortalDatabase) => Promise<T>): Promise<T> {
  const db = connectPortal(databaseUrl(), () => undefined);
  try {
    return await showWhile('Waiting for the database', () => work(db));
  } catch (error) {
    throw new Error(explained(error), { cause: error });
  } finally {
    await db.destroy();
  }
}

function explained(error: unknown): string {
  if ((error as { code?: unknown }).code === '42P01') return 'This database has no portal yet: start the service once.';
  return error instanceof Error ? error.message : String(error);
}

function dataDir(): string {
  return path.resolve(process.env['DATA_DIR'] ?? './data');
}

function databaseUrl(): string {
  const given = withSecretFiles(process.env, ['DATABASE_URL'])['DATABASE_URL'] ?? '';
  const found = given === '' ? runningPostgres(dataDir()) : given;
  if (found === null) throw new Error(`No service runs on ${dataDir()}: start it, or set DATA_DIR or DATABASE_URL.`);
  return found;
}

function publicUrl(): string {
  const given = process.env['PUBLIC_URL'] ?? '';
  if (given !== '') return given;
  const file = path.join(dataDir(), 'service.json');
  const service = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { publicUrl?: unknown }) : {};
  if (typeof service.publicUrl === 'string') return service.publicUrl;
  throw new Error('The address of the link is not known: set PUBLIC_URL, or give --url.');
}
