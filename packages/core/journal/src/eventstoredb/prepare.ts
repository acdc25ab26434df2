import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { isNotReady, NoJournal } from './failures.ts';
import { read } from './streams.ts';

const READY_AGAIN_MS = 100;

/** Stream metadata that hides events from all readers, so that a scavenge removes them. */
const HIDING = ['$maxCount', '$maxAge', '$tb'] as const;

/**
 * Waits until the server leads, and looks whether every event of the stream can be read.
 *
 * @throws NoJournal when the stream's metadata hides events; errors of gRPC; NotReady when the time is over.
 */
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
  const [last] = await connection.streams(timeoutMs, read(`$$${stream}`, 'last'));
  const data = last?.getEvent()?.getEvent()?.getData_asU8();
  if (data !== undefined) refuseHiding(stream, Buffer.from(data).toString('utf8'));
}

function refuseHiding(stream: string, text: string): void {
  const metadata = JSON.parse(text) as Readonly<Record<string, unknown>>;
  for (const key of HIDING) {
    if (metadata[key] === undefined) continue;
    throw new NoJournal(
      `stream ${stream} cannot be a journal: its metadata has ${key} = ${JSON.stringify(metadata[key])}, which hides ` +
        `events from every reader; remove it before a scavenge removes the events`,
    );
  }
}
