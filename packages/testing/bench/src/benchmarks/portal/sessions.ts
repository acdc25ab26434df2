import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { RunningStandalone } from '@paper/testkit/exchange';

/** How people's account streams reach the gateway. The pulse is public, and goes directly in both cases. */
export const STREAM_PATHS = ['through the portal', 'straight at the gateway'] as const;

interface SignedIn {
  readonly cookie: string;
  readonly key: string;
}

const PASSWORD = 'only for the people of a benchmark';
/** The number of concurrent sign-ups: two passwords are hashed at a time. */
const AT_ONCE = 4;

/** Signs up this many people as their browsers do, each with an automation key for calls that bypass the portal. */
export async function openSessions(service: RunningStandalone, count: number) {
  const people: SignedIn[] = [];
  let next = 0;
  const signUpNext = async (): Promise<void> => {
    while (next < count) people.push(await signUp(service, (next += 1)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, signUpNext));
  const port = Number(new URL(service.baseUrl).port);
  const { host } = new URL(service.publicUrl);
  return {
    /** Opens a pulse and an account stream for each person; `stop` closes all, and returns the received bytes. */
    async watch(way: (typeof STREAM_PATHS)[number]) {
      let bytes = 0;
      const listed = (await (await fetch(`${service.baseUrl}/api/markets?limit=50`)).json()) as {
        readonly id: string;
      }[];
      const marketIds = listed.map(({ id }) => id).join(',');
      /** Resolves when the answer has `until`: by default the end of its head. */
      const open = async (where: string, header: string, until = '\r\n\r\n'): Promise<Socket> => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(`GET ${where} HTTP/1.1\r\nhost: ${host}\r\n${header}\r\n\r\n`);
        let text = '';
        while (!text.includes(until)) {
          text += ((await once(socket, 'data')) as [Buffer])[0].toString();
          if (text.slice(9, 12) !== '200') throw new Error(`${where}: ${text}`);
        }
        socket.on('data', (chunk) => (bytes += chunk.length));
        return socket;
      };
      const sockets: Socket[] = [];
      for (const { cookie, key } of people) {
        if (way === 'through the portal') {
          // Opens the single connection of a browser. The portal answers before it has opened the account's stream.
          const where = `/portal/live/stream?marketIds=${marketIds}&account=me`;
          sockets.push(await open(where, `cookie: ${cookie}`, '{"topic":"account"'));
        } else {
          sockets.push(await open(`/api/stream?marketIds=${marketIds}`, 'accept: text/event-stream'));
          sockets.push(await open('/api/stream/account', `x-api-key: ${key}`));
        }
      }
      return {
        async stop() {
          const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
          for (const socket of sockets) socket.destroy();
          await closed;
          return bytes;
        },
      };
    },
  };
}

/** Signs one person up, with an automation key. */
export async function signUp(service: RunningStandalone, n: number): Promise<SignedIn> {
  const headers = { 'content-type': 'application/json', origin: new URL(service.publicUrl).origin };
  const call = async (where: string, body: object, cookie = ''): Promise<Response> => {
    const answer = await fetch(`${service.publicUrl}${where}`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const name = `watcher-${n}`;
  const signedUp = await call('/portal/sign-up', {
    signInName: name,
    displayName: name,
    password: PASSWORD,
    idempotencyKey: randomUUID(),
  });
  const [cookie = ''] = (signedUp.headers.getSetCookie()[0] ?? '').split(';');
  await call('/portal/prove', { password: PASSWORD }, cookie);
  const made = await call('/portal/automation-key', { name: 'benchmark' }, cookie);
  const { apiKey } = (await made.json()) as { readonly apiKey: { readonly rawKey: string } };
  return { cookie, key: apiKey.rawKey };
}
