import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@paper/runtime';
import { hasEnded } from './has-ended.ts';
import { TestAuthority } from './test-authority.ts';

export interface EventStoreOptions {
  /** Whether the system projections run, which link each event by type and by command. Default: no. */
  readonly projections?: boolean;
  /** Whether the server uses TLS and has the user admin, whose password is in the connection string. Default: no. */
  readonly tls?: boolean;
}

/** Names of the server's program in different versions. */
const COMMANDS = ['eventstored', 'EventStore.ClusterNode', 'kurrentd'];

let shared: Promise<EventStore> | null = null;

/** Whether there is a server that tests can share (JOURNAL_URL, or an installed one), and one that a test can start. */
export function eventStoreAt(): { readonly toShare: boolean; readonly toStart: boolean } {
  const toStart = installedCommand() !== null;
  return { toShare: toStart || givenUrl() !== undefined, toStart };
}

/** The URL of a server that tests share by shards: JOURNAL_URL, or this process's own. @throws Error without either */
export async function testEventStore(): Promise<string> {
  const given = givenUrl();
  if (given !== undefined) return given;
  shared ??= startEventStore();
  return (await shared).connectionString;
}

/** Starts a server on free ports with a new folder, and waits until it leads. @throws Error when it cannot */
export async function startEventStore({
  projections = false,
  tls = false,
}: EventStoreOptions = {}): Promise<EventStore> {
  const command = installedCommand();
  if (command === null) throw new Error(`none of ${COMMANDS.join(', ')} is on PATH`);
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-test-eventstore-'));
  const port = await freePort();
  const certificates = tls ? makeCertificates(folder) : null;
  const server = new EventStore(command, folder, port, await freePort(), projections, certificates);
  process.once('exit', () => server.discard());
  await server.restart();
  return server;
}

/** A real EventStoreDB server that a test starts. */
export class EventStore {
  #child: ChildProcess | null = null;
  readonly #password = randomBytes(12).toString('hex');

  constructor(
    private readonly command: string,
    private readonly folder: string,
    private readonly port: number,
    private readonly replicationPort: number,
    private readonly projections: boolean,
    private readonly tls: ReturnType<typeof makeCertificates> | null,
  ) {}

  get connectionString(): string {
    if (this.tls === null) return `esdb://127.0.0.1:${this.port}?tls=false`;
    const ca = encodeURIComponent(path.join(this.tls.trusted, 'ca.crt'));
    return `esdb://admin:${this.#password}@localhost:${this.port}?tls=true&tlsCAFile=${ca}`;
  }

  /** Starts the server with its stored data, at the same address, and waits until it is ready. */
  async restart(): Promise<void> {
    const { folder, port, projections, replicationPort, tls } = this;
    const child = spawn(
      this.command,
      [
        ...['--db', path.join(folder, 'data'), '--log', path.join(folder, 'logs'), '--cluster-size', '1'],
        ...['--node-ip', '127.0.0.1', '--node-port', String(port)],
        ...['--replication-ip', '127.0.0.1', '--replication-port', String(replicationPort)],
        ...['--run-projections', projections ? 'System' : 'None', '--start-standard-projections', String(projections)],
        ...(tls === null
          ? ['--insecure']
          : [
              ...['--certificate-file', tls.certificate, '--certificate-private-key-file', tls.key],
              ...['--trusted-root-certificates-path', tls.trusted],
            ]),
      ],
      {
        env: {
          ...process.env,
          EVENTSTORE_TELEMETRY_OPTOUT: 'true',
          // Without TLS the server has no users, and refuses to start with passwords.
          ...(tls === null
            ? {}
            : {
                EVENTSTORE_DEFAULT_ADMIN_PASSWORD: this.#password,
                EVENTSTORE_DEFAULT_OPS_PASSWORD: this.#password,
              }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
    }
    while (!(await this.#isReady())) {
      if (hasEnded(child)) throw new Error(`${this.command} ended before it was ready:\n${output}`);
      await delay(50);
    }
  }

  /** Sends the signal to the server. If the signal ends the server, resolves at that end. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null || hasEnded(child)) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await gone;
  }

  async stop(): Promise<void> {
    await this.kill('SIGKILL');
    this.discard();
  }

  /** Kills the server at the end of the test process, which cannot wait. */
  discard(): void {
    this.#child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
  }

  /** Whether the node leads and knows its users. The health check succeeds before either. */
  async #isReady(): Promise<boolean> {
    try {
      const { members } = JSON.parse((await this.request('GET', '/gossip')).body) as { members: { state: string }[] };
      if (!members.some(({ state }) => state === 'Leader')) return false;
      // A leader of a new database creates its users a moment later, and refuses everybody until then.
      return this.tls === null || (await this.request('GET', '/users/admin', `admin:${this.#password}`)).status === 200;
    } catch {
      return false;
    }
  }

  /** Sends an HTTP request to the server. `auth`: `user:password`. */
  request(
    method: string,
    where: string,
    auth?: string,
    body?: object,
  ): Promise<{ readonly status: number | undefined; readonly body: string }> {
    const { port, tls } = this;
    const headers = { accept: 'application/json, text/plain', 'content-type': 'application/json' };
    const options = { auth, headers, method, path: where, port };
    return new Promise((resolve, reject) => {
      const request =
        tls === null
          ? httpRequest({ ...options, host: '127.0.0.1' })
          : httpsRequest({ ...options, ca: readFileSync(path.join(tls.trusted, 'ca.crt')), host: 'localhost' });
      request.on('error', reject);
      request.on('response', (response) => {
        void text(response).then((answered) => resolve({ body: answered, status: response.statusCode }), reject);
      });
      request.end(body === undefined ? '' : JSON.stringify(body));
    });
  }
}

function givenUrl(): string | undefined {
  // EVENTSTORE_URL is the former name of JOURNAL_URL.
  return process.env['JOURNAL_URL'] || process.env['EVENTSTORE_URL'] || undefined;
}

function installedCommand(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  for (const command of COMMANDS) {
    for (const folder of folders) {
      const file = path.join(folder, command);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // The folder has no such program.
      }
    }
  }
  return null;
}

/** A certificate as the server requires it (its common name is fixed), and the authority that signed it. */
function makeCertificates(folder: string) {
  const authority = new TestAuthority(folder);
  // The folder `trusted` contains only ca.crt.
  return { ...authority.issue({ name: 'node', commonName: 'eventstoredb-node' }), trusted: authority.trusted };
}
