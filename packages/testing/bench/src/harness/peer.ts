import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A server with which the service is compared, in a separate process. */
export type Peer = Awaited<ReturnType<typeof startPeer>>;

/** Starts a program that calls `runPeer`, and waits until it listens. @throws Error when it ends before */
export async function startPeer(program: string, settings: object) {
  const child = fork(program, [], { execArgv: ['--import', 'tsx'] });
  child.send(settings);
  const ended = once(child, 'exit').then(() => null);
  const message = await Promise.race([once(child, 'message') as Promise<[number]>, ended]);
  if (message === null) throw new Error(`${program} ended before it listened`);
  const [port] = message;
  return { pid: child.pid ?? 0, port, stop: () => child.disconnect() };
}

/** Calls `start` with the parent's settings and sends the parent the port; ends with the parent. */
export function runPeer(start: (settings: never) => Promise<number>): void {
  process.once('message', (settings) => {
    void start(settings as never).then((port) => process.send?.(port));
  });
  process.once('disconnect', () => process.exit());
}
