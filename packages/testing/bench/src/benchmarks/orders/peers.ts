import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** What a peer is given before it listens. */
export interface PeerSettings {
  /** The body of each answer: the bytes with which the service answered one order. */
  readonly answer: string;
  /** The database of the floor. */
  readonly databaseUrl: string;
  /** The text that the floor stores for each order: as long as what the journal stores for one. */
  readonly stored: string;
}

/** A program beside which the service is measured, in a process of its own. */
export interface Peer {
  readonly pid: number;
  readonly port: number;
  stop(): void;
}

/**
 * Starts a program of this folder, and waits until it listens.
 * @throws Error where it ends before; the reason is on its standard error.
 */
export async function startPeer(program: 'bare-express.ts' | 'floor.ts', settings: PeerSettings): Promise<Peer> {
  const child = fork(path.join(import.meta.dirname, program), [], { execArgv: ['--import', 'tsx'] });
  child.send(settings);
  const ended = once(child, 'exit').then(() => null);
  const message = await Promise.race([once(child, 'message') as Promise<[number]>, ended]);
  if (message === null) throw new Error(`${program} ended before it listened`);
  const [port] = message;
  return { pid: child.pid ?? 0, port, stop: () => child.disconnect() };
}

/** Calls `start` with the parent's settings and sends the parent the port; ends with the parent. */
export function runPeer(start: (settings: PeerSettings) => Promise<number>): void {
  process.once('message', (settings: PeerSettings) => {
    void start(settings).then((port) => process.send?.(port));
  });
  process.once('disconnect', () => process.exit());
}
