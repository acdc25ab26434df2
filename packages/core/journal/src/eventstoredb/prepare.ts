import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { isNotReady, NoJournal } from './failures.ts';
import { hidingIn } from './retention.ts';
import { read } from './streams.ts';

const READY_AGAIN_MS = 100;

/** Waits until the server leads. @throws NoJournal when the stream hides events; NotReady; errors of gRPC */
export async function prepareStream(connection: Connection, stream: string, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      await connection.requireLeader(timeoutMs);
      break;
    } catch (error) {
      if (!isNotReady(error) || performance.now() > giveUpAt) throw error;
      await delay(READY_AGAIN_MS);
    }
  }
  const [hiding = null] = await connection.streams(timeoutMs, read(`$$${stream}`, 'last', hidingIn));
  if (hiding !== null) throw new NoJournal(`stream ${stream} cannot be a journal: ${hiding}`);
}
