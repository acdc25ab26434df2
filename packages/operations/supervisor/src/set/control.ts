import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { writePrivateFile } from '@paper/runtime';
import { z } from 'zod';
import { reasonOf } from '../reachable.ts';
import type { ServiceSet } from './service-set.ts';
import { serviceStatusSchema } from './service-status.ts';
import type { ServiceStatus } from './service-status.ts';

/** What `npm run services` may call in a running `npm run start:services`. */
type ControlledSet = Pick<ServiceSet, 'names' | 'replaceCertificate' | 'restart' | 'status'>;

const FILE = 'services.json';

const statusAnswer = z.object({
  services: z.array(serviceStatusSchema),
  /** Servers that have not answered since the start. */
  waitingFor: z.array(z.string()),
});

export type SetStatus = z.output<typeof statusAnswer>;

const certificateAnswer = z.object({ fingerprint256: z.string() });

export interface ControlOptions {
  readonly dataDir: string;
  /** A folder that only this user can enter, since whoever reaches its socket may use it. */
  readonly folder: string;
  readonly set: ControlledSet;
  readonly waitingFor: () => readonly string[];
}

/** Listens on a socket, whose path is in DATA_DIR/services.json. The returned function closes it. */
export async function openControl({ dataDir, folder, set, waitingFor }: ControlOptions): Promise<() => Promise<void>> {
  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, restarted] = /^\/restart\/(.+)$/.exec(asked.url ?? '') ?? [];
    if (asked.url === '/certificate' && asked.method === 'POST') {
      const { fingerprint256 } = await set.replaceCertificate();
      respond(response, 200, { fingerprint256 });
    } else if (restarted === undefined) {
      respond(response, 200, { services: await set.status(), waitingFor: waitingFor() });
    } else if (!set.names().includes(restarted)) {
      respond(response, 404, { error: `There is no service ${restarted}. There are: ${set.names().join(', ')}.` });
    } else {
      respond(response, 200, await set.restart(restarted));
    }
  };
  const server = createServer((asked, response) => {
    answer(asked, response).catch((error: unknown) => {
      respond(response, 500, { error: reasonOf(error) });
    });
  });
  const socket = path.join(folder, 'control.sock');
  await once(server.listen(socket), 'listening');
  const file = path.join(dataDir, FILE);
  writePrivateFile(file, `${JSON.stringify({ pid: process.pid, socket }, null, 2)}\n`);
  return async () => {
    rmSync(file, { force: true });
    await closed(server);
  };
}

/** The status of the set of services that runs on this folder. @throws Error when none runs. */
export const askStatus = async (dataDir: string): Promise<SetStatus> =>
  statusAnswer.parse(await ask(dataDir, 'GET', '/status'));

/** Restarts one process. @throws Error when no set runs, the name is unknown, or the start fails. */
export const askRestart = async (dataDir: string, name: string): Promise<ServiceStatus> =>
  serviceStatusSchema.parse(await ask(dataDir, 'POST', `/restart/${encodeURIComponent(name)}`));

/**
 * Makes the front door read its certificate's file again. Returns the SHA-256 fingerprint that it serves then.
 * @throws Error when no set runs, it has no TLS, or the file cannot be served.
 */
export const reloadCertificate = async (dataDir: string): Promise<string> =>
  certificateAnswer.parse(await ask(dataDir, 'POST', '/certificate')).fingerprint256;

async function ask(dataDir: string, method: string, where: string): Promise<unknown> {
  const socketPath = socketOf(dataDir);
  const asking = request({ socketPath, method, path: where });
  let answer: IncomingMessage;
  try {
    [answer] = (await once(asking.end(), 'response')) as [IncomingMessage];
  } catch (error) {
    throw noneRuns(dataDir, error);
  }
  const body = await json(answer);
  if (answer.statusCode === 200) return body;
  throw new Error((body as { readonly error: string }).error);
}

function socketOf(dataDir: string): string {
  try {
    const { socket } = JSON.parse(readFileSync(path.join(dataDir, FILE), 'utf8')) as { readonly socket: string };
    return socket;
  } catch (error) {
    throw noneRuns(dataDir, error);
  }
}

function noneRuns(dataDir: string, cause: unknown): Error {
  return new Error(
    `No \`npm run start:services\` runs on ${dataDir}. Start it, or say by DATA_DIR which folder it has.`,
    { cause },
  );
}

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
}
