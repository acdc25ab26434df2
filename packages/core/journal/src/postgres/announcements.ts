import pg from 'pg';
import type { Wakeups } from '../follow.ts';
import { listenWithRetries } from '../listening.ts';
import { CHANNEL } from './schema.ts';

interface Listening {
  readonly connection: pg.ClientConfig;
  readonly onError: (error: unknown) => void;
  readonly shard: string;
  readonly signal: AbortSignal;
  readonly wakeups: Pick<Wakeups, 'wake'>;
}

const CONNECT_TIMEOUT_MS = 2_000;

/** Wakes followers when any process appends, over a separate connection, until the signal aborts. */
export function listenForAppends(listening: Listening): Promise<void> {
  const { onError, signal } = listening;
  return listenWithRetries({ listen: (connected) => listenOnce(listening, connected), onError, signal });
}

async function listenOnce({ connection, shard, signal, wakeups }: Listening, connected: () => void): Promise<void> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // A pool makes its password non-enumerable, so the password is copied by name.
    password: connection.password,
  });
  // The end of the connection, which is awaited, follows each error. Without this listener an error would end the
  // process.
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '' }) => {
    const [of, seq] = payload.split(' ');
    if (of === shard) wakeups.wake(Number(seq));
  });
  let stop = (): void => undefined;
  const over = new Promise<void>((resolve) => (stop = resolve));
  client.once('end', stop);
  signal.addEventListener('abort', stop);
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    connected();
    // Wakes the followers for appends that were made while no connection listened.
    wakeups.wake();
    await over;
    if (!signal.aborted) throw new Error('the connection that listens for appends has ended');
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}
