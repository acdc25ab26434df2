import { DAY_MS } from '@paper/contracts/units';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { runningPostgres } from '@paper/embedded-postgres';
import { print, printError, withSecretFiles } from '@paper/runtime';
import { Command, InvalidArgumentError } from 'commander';
import { connectPortal } from '../base/database.ts';
import type { PortalDatabase } from '../base/database.ts';
import { listInvites, makeInvite, revokeInvite } from '../identity/invites.ts';

/**
 * `npm run portal -- invite`, `-- invites` and `-- revoke ID`: the invites of people, in the database of DATABASE_URL,
 * else in that of the service that runs on DATA_DIR.
 */

const program = new Command('portal').description(
  'Invite people to sign up, and look at the invites: of the service that runs on DATA_DIR, or in DATABASE_URL.',
);

interface InviteOptions {
  readonly uses: number;
  readonly days: number;
  readonly by: string;
  readonly url?: string;
}

program
  .command('invite')
  .description('make an invite, and print its link, which is shown this once')
  .option('--uses <number>', 'so many people may sign up with it', numberUpTo(10_000), 1)
  .option('--days <number>', 'so long it lasts', numberUpTo(365), 7)
  .option('--by <name>', 'who makes it, for the list of invites', userInfo().username)
  .option('--url <url>', 'the address that people use (default: PUBLIC_URL, else that of the running service)')
  .action(({ by, days, url, uses }: InviteOptions) =>
    withPortal(async (db) => {
      const address = new URL('/sign-up', url ?? publicUrl());
      const { id, token } = await makeInvite(db, { madeBy: by, uses, expiresAt: new Date(Date.now() + days * DAY_MS) });
      address.searchParams.set('invite', token);
      print(address.href);
      const people = uses === 1 ? 'one person' : `${uses} people`;
      printError(
        `For ${people}, for ${days} ${days === 1 ? 'day' : 'days'}. To end it: npm run portal -- revoke ${id}`,
      );
    }),
  );

program
  .command('invites')
  .description('list all invites, the newest first')
  .option('--json', 'for programs')
  .action(({ json }: { readonly json?: true }) =>
    withPortal(async (db) => {
      const invites = await listInvites(db);
      if (json === true) {
        print(JSON.stringify(invites));
        return;
      }
      if (invites.length === 0) print('There are no invites.');
      for (const { expiresAt, id, madeBy, state, uses, usesMax } of invites) {
        print(`${id}  ${state.padEnd(7)}  ${uses} of ${usesMax}  until ${expiresAt.toISOString()}  by ${madeBy}`);
      }
    }),
  );

program
  .command('revoke')
  .description('end an invite; people who have used it keep their accounts')
  .argument('<id>', 'as `invites` prints it')
  .action((id: string) =>
    withPortal(async (db) => {
      if (!(await revokeInvite(db, id))) throw new Error(`No invite has the id ${id}: npm run portal -- invites`);
      print(`The invite ${id} is revoked.`);
    }),
  );

await program.parseAsync();

/** Prints an error's message, with exit code 2. */
async function withPortal(work: (db: PortalDatabase) => Promise<void>): Promise<void> {
  let db: PortalDatabase | null = null;
  try {
    db = connectPortal(databaseUrl(), () => undefined);
    await work(db);
  } catch (error) {
    printError(explained(error));
    process.exitCode = 2;
  } finally {
    await db?.destroy();
  }
}

function explained(error: unknown): string {
  if ((error as { code?: unknown }).code === '42P01') {
    return 'This database has no portal yet: start the service once.';
  }
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

function numberUpTo(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`It is a whole number from 1 to ${max}.`);
  };
}
