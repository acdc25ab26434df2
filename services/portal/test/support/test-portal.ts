import { randomUUID } from 'node:crypto';
import { startServer } from '@paper/http';
import type { RateLimiter } from '@paper/http';
import { createLogger, createMetrics } from '@paper/runtime';
import type { Metrics } from '@paper/runtime';
import { testDatabase } from '@paper/testkit';
import { z } from 'zod';
import { portalSettings } from '../../src/base/config.ts';
import { createPortal } from '../../src/portal.ts';
import type { Portal } from '../../src/portal.ts';
import { connectPortal } from '../../src/base/database.ts';
import type { PortalDatabase } from '../../src/base/database.ts';
import { foldName, Passwords } from '../../src/identity/passwords.ts';
import { TestBrowser } from './test-browser.ts';

export interface TestPortalOptions {
  /** Settings as in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The exchange. Default: an address where nothing answers. */
  readonly apiUrl?: string;
  readonly operatorToken?: string;
  /** Default: a new database, dropped at the stop. */
  readonly connectionString?: string;
  /** Default: none. */
  readonly rateLimiter?: RateLimiter;
}

/** A portal in this process with a database of its own, on a free port. */
export interface TestPortal {
  readonly portal: Portal;
  readonly db: PortalDatabase;
  readonly metrics: Metrics;
  readonly connectionString: string;
  /** The portal's PUBLIC_URL. */
  readonly url: string;
  /** A browser without cookies. */
  browser(): TestBrowser;
  /** A person with an open account and a random password. */
  person(name: string, more?: PersonOptions): Promise<TestPerson>;
  stop(): Promise<void>;
}

export interface PersonOptions {
  readonly email?: string;
  /** Null: a person without a password. */
  readonly password?: string | null;
  readonly accountId?: string;
}

export interface TestPerson {
  readonly id: string;
  readonly password: string;
}

export const TEST_SECRET = 'the secret of the portal for its tests';
const NO_API = 'http://127.0.0.1:9';

const settings = z.object({ ...portalSettings, HOST: z.string() });

/** Starts a portal. */
export async function startTestPortal(options: TestPortalOptions = {}): Promise<TestPortal> {
  const { apiUrl = NO_API, env = {}, operatorToken = 'an-operator-token-for-tests' } = options;
  const database = options.connectionString === undefined ? await testDatabase() : null;
  const connectionString = options.connectionString ?? database?.connectionString ?? '';
  const metrics = createMetrics(false);
  const portal = await createPortal({
    connectionString,
    config: settings.parse({ HOST: '127.0.0.1', ...env }),
    operatorToken,
    secrets: [TEST_SECRET],
    logger: createLogger({ name: 'portal', level: process.env['LOG_LEVEL'] ?? 'silent' }, process.stderr),
    metrics,
    rateLimiter: options.rateLimiter ?? null,
    trustedProxies: [],
    relaySecret: null,
    pages: null,
  });
  const server = await startServer(portal.listener, { host: '127.0.0.1', port: 0, connectionsMax: 100, metrics });
  const url = env['PUBLIC_URL'] ?? `http://localhost:${server.port}`;
  portal.start({ apiUrl, publicUrl: url });
  const db = connectPortal(connectionString, () => undefined);
  return {
    portal,
    db,
    metrics,
    connectionString,
    url,
    browser: () => new TestBrowser(url, server.port),
    person: (name, more) => insertPerson(db, name, more),
    async stop() {
      await server.close(100);
      await portal.stop();
      await db.destroy();
      await database?.close();
    },
  };
}

const passwords = new Passwords();

async function insertPerson(db: PortalDatabase, name: string, more: PersonOptions = {}): Promise<TestPerson> {
  const { email = null, accountId = `account-of-${name}`, password = `a passphrase of ${randomUUID()}` } = more;
  const id = randomUUID();
  const signal = new AbortController().signal;
  await db
    .insertInto('people')
    .values({
      id,
      sign_in_name: foldName(name),
      display_name: name,
      password_hash: password === null ? null : await passwords.hash(password, 'a test', signal),
      email,
      account_id: accountId,
      state: 'active',
    })
    .execute();
  return { id, password: password ?? '' };
}
